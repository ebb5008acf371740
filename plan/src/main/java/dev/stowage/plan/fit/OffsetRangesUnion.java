package dev.stowage.plan.fit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The ranges of several {@link OffsetRanges}, merged by ascending start; they may overlap. */
final class OffsetRangesUnion {

  /*
   * A bottom-up merge sort: O(r log s) for r ranges of s sets. An arena is usually full at its
   * lower end. One range from 0 to base() replaces all ranges below.
   */

  private OffsetRanges[] sets = new OffsetRanges[64];
  private int setCount;

  /** The start and end of each range, alternating. */
  private long[] ranges = new long[128];

  /** The target of a merge. */
  private long[] merged = new long[128];

  private int count;

  /** The first range of each run, and then the number of ranges. */
  private int[] runs = new int[65];

  void clear() {
    setCount = 0;
    count = 0;
  }

  /** Adds a set; null is an empty set. */
  void add(@Nullable OffsetRanges set) {
    if (set != null) {
      if (setCount == sets.length) {
        sets = Arrays.copyOf(sets, 2 * setCount);
        runs = new int[2 * setCount + 1];
      }
      sets[setCount++] = set;
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

  /** {@return the lowest byte of all sets; {@link Long#MAX_VALUE} if there is no set} */
  long lowest() {
    long lowest = Long.MAX_VALUE;
    for (int k = 0; k < setCount; k++) {
      lowest = Math.min(lowest, sets[k].start(0));
    }
    return lowest;
  }

  /** Merges the ranges of all sets; afterwards, {@link #start} and {@link #end} return them. */
  void merge() {
    long base = base();
    count = 0;
    int runCount = 0;
    if (base > 0) {
      runCount = startRun(runCount);
      append(0, base);
    }
    for (int k = 0; k < setCount; k++) {
      OffsetRanges set = sets[k];
      int from = set.firstEndingAfter(base, 0);
      if (from < set.count()) {
        runCount = startRun(runCount);
        for (int range = from; range < set.count(); range++) {
          append(set.start(range), set.end(range));
        }
      }
    }
    runs[runCount] = count;
    while (runCount > 1) {
      runCount = mergePairs(runCount);
    }
  }

  /** {@return the largest offset below which every byte is in a set} */
  private long base() {
    long base = 0;
    for (boolean moved = true; moved; ) {
      moved = false;
      for (int k = 0; k < setCount; k++) {
        int range = sets[k].firstEndingAfter(base, 0);
        if (range < sets[k].count() && sets[k].start(range) <= base) {
          base = sets[k].end(range);
          moved = true;
        }
      }
    }
    return base;
  }

  /** Starts a run at the next range and {@return the new number of runs} */
  private int startRun(int runCount) {
    if (runCount + 2 > runs.length) {
      runs = Arrays.copyOf(runs, 2 * runs.length);
    }
    runs[runCount] = count;
    return runCount + 1;
  }

  private void append(long start, long end) {
    if (2 * count == ranges.length) {
      ranges = Arrays.copyOf(ranges, 4 * count);
      merged = new long[4 * count];
    }
    ranges[2 * count] = start;
    ranges[2 * count + 1] = end;
    count++;
  }

  /** Merges each pair of runs and {@return the new number of runs} */
  private int mergePairs(int runCount) {
    int left = 0;
    for (int run = 0; run < runCount; run += 2) {
      int start = runs[run];
      int middle = runs[Math.min(run + 1, runCount)];
      int end = runs[Math.min(run + 2, runCount)];
      mergeRuns(2 * start, 2 * middle, 2 * end);
      runs[left++] = start;
    }
    runs[left] = count;
    long[] done = ranges;
    ranges = merged;
    merged = done;
    return left;
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
}
