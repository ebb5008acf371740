package dev.stowage.plan.fit;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.time.LiveRange;
import java.util.Arrays;

/**
 * Ranges of occupied bytes, which are added in sorted runs and then merged by ascending start.
 *
 * <p>Ranges may overlap. A bottom-up merge sort: O(n log r) for n ranges in r runs.
 */
final class RangeRuns {

  /** The start and end of each range, alternating. */
  private long[] ranges = new long[128];

  /** The target of a merge. */
  private long[] merged = new long[128];

  private int count;

  /** The first range of each run, and then the number of ranges. */
  private int[] runs = new int[65];

  private int runCount;

  void clear() {
    count = 0;
    runCount = 0;
  }

  /** Starts a run at the next range. */
  void startRun() {
    if (runCount + 2 > runs.length) {
      runs = Arrays.copyOf(runs, 2 * runs.length);
    }
    runs[runCount++] = count;
  }

  void append(long start, long end) {
    reserve(1);
    ranges[2 * count] = start;
    ranges[2 * count + 1] = end;
    count++;
  }

  /**
   * Appends one run: the byte ranges of the listed records that are live between two ranks.
   *
   * @param minFirstRank the run lacks records with a lower first rank
   */
  void addRun(PlacedList list, int firstRank, int lastRank, int minFirstRank) {
    reserve(list.count() + 1);
    startRun();
    count = list.copy(firstRank, lastRank, minFirstRank, ranges, count);
  }

  private void reserve(int added) {
    if (2 * (count + added) > ranges.length) {
      int length = Math.max(2 * ranges.length, 2 * (count + added));
      ranges = Arrays.copyOf(ranges, length);
      merged = new long[length];
    }
  }

  int count() {
    return count;
  }

  long start(int range) {
    return ranges[2 * range];
  }

  long end(int range) {
    return ranges[2 * range + 1];
  }

  /** Merges all runs into one. */
  void merge() {
    runs[runCount] = count;
    while (runCount > 1) {
      mergePairs();
    }
  }

  private void mergePairs() {
    int left = 0;
    for (int run = 0; run < runCount; run += 2) {
      int start = runs[run];
      int middle = runs[Math.min(run + 1, runCount)];
      int end = runs[Math.min(run + 2, runCount)];
      mergeRuns(2 * start, 2 * middle, 2 * end);
      runs[left++] = start;
    }
    runs[left] = count;
    runCount = left;
    long[] done = ranges;
    ranges = merged;
    merged = done;
  }

  /** Merges two adjacent runs, given by their array indices. */
  private void mergeRuns(int start, int middle, int end) {
    int a = start;
    int b = middle;
    for (int to = start; to < end; to += 2) {
      int from;
      if (b == end || (a < middle && ranges[a] <= ranges[b])) {
        from = a;
        a += 2;
      } else {
        from = b;
        b += 2;
      }
      merged[to] = ranges[from];
      merged[to + 1] = ranges[from + 1];
    }
  }

  /** {@return the smallest gap between the merged ranges; see {@link PlacedBytes#tightestGap}} */
  long tightestGap(long bytes, long alignment) {
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    long free = 0;
    for (int k = 0; k < count; k++) {
      long gap = start(k) - free;
      if (gap >= bytes && gap < bestGap) {
        best = free;
        bestGap = gap;
      }
      if (end(k) > free) {
        free = Alignment.up(end(k), alignment);
      }
    }
    return best >= 0 ? best : free;
  }

  /** {@return the lowest gap between the merged ranges; see {@link PlacedBytes#lowestGap}} */
  long lowestGap(LiveRange need, long from, long alignment) {
    long offset = from;
    for (int k = 0; k < count && start(k) < offset + need.endByte(); k++) {
      if (end(k) > offset + need.startByte()) {
        offset = Alignment.up(end(k) - need.startByte(), alignment);
      }
    }
    return offset;
  }
}
