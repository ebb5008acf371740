package dev.stowage.core.plan.check;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** Those of some placed ranges that are live at a task, by address. */
final class LivePlaces {

  /*
   * Ranges are sorted by start. A tree over them knows the largest end of the live ones below each
   * node, so that a walk from above finds k ranges that overlap some bytes at O((k + 1) log n)
   * nodes. How many there are is known without a walk: those that start below the end of the bytes,
   * but for those that end at their start or below. Two Fenwick trees count these.
   */

  /** The ranges by start. */
  private final PlacedRange[] byStart;

  /** The place of each range in that order, by its index. */
  private final int[] places;

  private final long[] starts;
  private final long[] ends;
  private final int leaves;
  private final long[] largestEnds;
  private final int[] startCounts;
  private final int[] endCounts;

  /**
   * Places of which none is live.
   *
   * @param ranges the ranges that may be live
   * @param indexCount more than the index of any of them
   */
  LivePlaces(List<PlacedRange> ranges, int indexCount) {
    int count = ranges.size();
    byStart = ranges.toArray(PlacedRange[]::new);
    Arrays.sort(byStart, Comparator.comparingLong(PlacedRange::startByte));
    places = new int[indexCount];
    starts = new long[count];
    for (int place = 0; place < count; place++) {
      places[byStart[place].index()] = place;
      starts[place] = byStart[place].startByte();
    }
    ends = ranges.stream().mapToLong(PlacedRange::endByte).sorted().toArray();
    leaves = Integer.highestOneBit(Math.max(1, count * 2 - 1));
    largestEnds = new long[2 * leaves];
    startCounts = new int[count + 1];
    endCounts = new int[count + 1];
  }

  /** Makes a range live. */
  void add(PlacedRange range) {
    change(range, range.endByte(), 1);
  }

  /** Ends what {@link #add} began. */
  void remove(PlacedRange range) {
    change(range, 0, -1);
  }

  private void change(PlacedRange range, long end, int count) {
    int place = places[range.index()];
    int node = leaves + place;
    largestEnds[node] = end;
    for (node /= 2; node > 0; node /= 2) {
      largestEnds[node] = Math.max(largestEnds[2 * node], largestEnds[2 * node + 1]);
    }
    addCount(startCounts, place, count);
    addCount(endCounts, below(ends, range.endByte()), count);
  }

  private static void addCount(int[] counts, int index, int count) {
    for (int k = index + 1; k < counts.length; k += k & -k) {
      counts[k] += count;
    }
  }

  /** {@return the counts of the first {@code length} indices} */
  private static int sum(int[] counts, int length) {
    int sum = 0;
    for (int k = length; k > 0; k -= k & -k) {
      sum += counts[k];
    }
    return sum;
  }

  /** {@return the number of sorted values less than {@code value}} */
  private static int below(long[] sorted, long value) {
    int from = 0;
    int to = sorted.length;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (sorted[middle] < value) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** {@return the number of live ranges that have a byte in common with {@code range}; O(log n)} */
  int countOverlapping(PlacedRange range) {
    // Ends at the first byte or below are less than the byte behind it.
    return sum(startCounts, below(starts, range.endByte()))
        - sum(endCounts, below(ends, range.startByte() + 1));
  }

  /**
   * Walks over the live ranges that have a byte in common with {@code range}, from above, until the
   * visitor returns false.
   *
   * @return whether it never did
   */
  boolean forEachOverlapping(PlacedRange range, Predicate<PlacedRange> visitor) {
    return visit(1, 0, leaves, below(starts, range.endByte()), range.startByte(), visitor);
  }

  private boolean visit(
      int node, int first, int width, int before, long startByte, Predicate<PlacedRange> visitor) {
    if (first >= before || largestEnds[node] <= startByte) {
      return true;
    }
    if (width == 1) {
      return visitor.test(byStart[first]);
    }
    int half = width / 2;
    return visit(2 * node + 1, first + half, half, before, startByte, visitor)
        && visit(2 * node, first, half, before, startByte, visitor);
  }
}
