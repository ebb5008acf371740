package dev.stowage.plan.fit;

import java.util.Arrays;

/**
 * The upper edge of placed records: a height for each rank, as segments of equal height.
 *
 * <p>A valley is a segment with higher neighbours.
 */
final class Skyline {

  /*
   *   S1  the segments tile the ranks, and `previous` and `next` link them by rank;
   *   S2  neighbours have different heights;
   *   S3  `valleys` has each valley once, except for the one that the caller is working on.
   */

  private static final int NONE = -1;

  private int[] firsts = new int[16];
  private int[] lasts = new int[16];
  private long[] heights = new long[16];
  private int[] previous = new int[16];
  private int[] next = new int[16];
  private int segmentCount;

  /** The first unused segment; {@link #next} links to the next one. */
  private int firstUnused = NONE;

  private int[] valleys = new int[16];
  private int valleyCount;

  Skyline(int rankCount) {
    if (rankCount > 0) {
      pushIfValley(newSegment(0, rankCount - 1, 0, NONE, NONE));
    }
  }

  int first(int segment) {
    return firsts[segment];
  }

  int last(int segment) {
    return lasts[segment];
  }

  long height(int segment) {
    return heights[segment];
  }

  /** {@return the height of the segment before; {@link Long#MAX_VALUE} if there is none} */
  long heightBefore(int segment) {
    return heightBeside(previous[segment]);
  }

  /** {@return the height of the segment after; {@link Long#MAX_VALUE} if there is none} */
  long heightAfter(int segment) {
    return heightBeside(next[segment]);
  }

  /** {@return a valley, which the caller raises or adds a record to; -1 at the end} */
  int nextValley() {
    return valleyCount == 0 ? NONE : valleys[--valleyCount];
  }

  /** Raises a valley to its lower neighbour; the last segment of all disappears. */
  void raise(int valley) {
    long height = Math.min(heightBeside(previous[valley]), heightBeside(next[valley]));
    if (height < Long.MAX_VALUE) {
      heights[valley] = height;
      merge(valley);
      pushIfValley(valley);
    }
  }

  /** Raises the ranks from {@code first} to {@code last} of a valley. */
  void add(int valley, int first, int last, long height) {
    int before = previous[valley];
    int after = next[valley];
    int right = NONE;
    int left = NONE;
    if (first > firsts[valley]) {
      left = newSegment(firsts[valley], first - 1, heights[valley], before, valley);
    }
    if (last < lasts[valley]) {
      right = newSegment(last + 1, lasts[valley], heights[valley], valley, after);
    }
    firsts[valley] = first;
    lasts[valley] = last;
    heights[valley] = height;
    // A neighbour that is equal to the new segment merges with it; a lower one may be a valley now.
    if (right != NONE) {
      pushIfValley(right);
    } else if (heightBeside(after) < height) {
      pushIfValley(after);
    }
    if (left != NONE) {
      pushIfValley(left);
    } else if (heightBeside(before) < height) {
      pushIfValley(before);
    }
    merge(valley);
    pushIfValley(valley);
  }

  private long heightBeside(int segment) {
    return segment == NONE ? Long.MAX_VALUE : heights[segment];
  }

  private void pushIfValley(int segment) {
    if (heightBeside(previous[segment]) > heights[segment]
        && heightBeside(next[segment]) > heights[segment]) {
      if (valleyCount == valleys.length) {
        valleys = Arrays.copyOf(valleys, 2 * valleyCount);
      }
      valleys[valleyCount++] = segment;
    }
  }

  private int newSegment(int first, int last, long height, int before, int after) {
    int segment = firstUnused;
    if (segment == NONE) {
      segment = segmentCount++;
      if (segment == firsts.length) {
        grow();
      }
    } else {
      firstUnused = next[segment];
    }
    firsts[segment] = first;
    lasts[segment] = last;
    heights[segment] = height;
    link(before, segment);
    link(segment, after);
    return segment;
  }

  private void link(int before, int after) {
    if (before != NONE) {
      next[before] = after;
    }
    if (after != NONE) {
      previous[after] = before;
    }
  }

  private void grow() {
    int capacity = 2 * firsts.length;
    firsts = Arrays.copyOf(firsts, capacity);
    lasts = Arrays.copyOf(lasts, capacity);
    heights = Arrays.copyOf(heights, capacity);
    previous = Arrays.copyOf(previous, capacity);
    next = Arrays.copyOf(next, capacity);
  }

  /** Merges a segment with its neighbours of the same height. */
  private void merge(int segment) {
    int before = previous[segment];
    if (heightBeside(before) == heights[segment]) {
      firsts[segment] = firsts[before];
      setPrevious(segment, previous[before]);
      free(before);
    }
    int after = next[segment];
    if (heightBeside(after) == heights[segment]) {
      lasts[segment] = lasts[after];
      setNext(segment, next[after]);
      free(after);
    }
  }

  private void setPrevious(int segment, int before) {
    previous[segment] = before;
    if (before != NONE) {
      next[before] = segment;
    }
  }

  private void setNext(int segment, int after) {
    next[segment] = after;
    if (after != NONE) {
      previous[after] = segment;
    }
  }

  private void free(int segment) {
    next[segment] = firstUnused;
    firstUnused = segment;
  }

  /**
   * Checks S1 to S3.
   *
   * @param ranks the number of ranks
   * @param taken the segments that {@link #nextValley} returned and the caller still works on
   * @throws AssertionError if one of them does not hold
   */
  void checkInvariants(int ranks, int... taken) {
    int[] pending = new int[firsts.length];
    for (int k = 0; k < valleyCount; k++) {
      pending[valleys[k]]++;
    }
    for (int segment : taken) {
      pending[segment]++;
    }
    int segment = 0;
    boolean[] isUnused = new boolean[segmentCount];
    for (int unused = firstUnused; unused != NONE; unused = next[unused]) {
      isUnused[unused] = true;
    }
    while (segment < segmentCount && (isUnused[segment] || previous[segment] != NONE)) {
      segment++;
    }
    int rank = 0;
    int before = NONE;
    for (; segment < segmentCount && segment != NONE; segment = next[segment]) {
      boolean isValley =
          heightBeside(before) > heights[segment] && heightBeside(next[segment]) > heights[segment];
      check(firsts[segment] == rank && lasts[segment] >= rank, "S1", segment);
      check(previous[segment] == before && !isUnused[segment], "S1", segment);
      check(before == NONE || heights[before] != heights[segment], "S2", segment);
      check(pending[segment] == (isValley ? 1 : 0), "S3", segment);
      rank = lasts[segment] + 1;
      before = segment;
    }
    check(rank == ranks, "S1", before);
  }

  private static void check(boolean holds, String label, int segment) {
    if (!holds) {
      throw new AssertionError(label + " does not hold at segment " + segment);
    }
  }
}
