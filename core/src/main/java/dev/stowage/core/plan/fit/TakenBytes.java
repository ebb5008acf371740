package dev.stowage.core.plan.fit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The union of several {@link ByteRanges}, as ranges by ascending start that may overlap. */
final class TakenBytes {

  /*
   * The sets are merged pair by pair, as a merge sort merges its runs: O(r log s) for r ranges of s
   * sets. As an arena is full at its lower end, most ranges lie below `base`, up to which everything
   * is taken; they are left out.
   */

  private ByteRanges[] sets = new ByteRanges[64];
  private int setCount;

  /** Start and end of each range, in turn; and room to merge into. */
  private long[] ranges = new long[128];

  private long[] merged = new long[128];
  private int count;

  /** Where each run starts in {@code ranges}; one more entry is its end. */
  private int[] runs = new int[65];

  void clear() {
    setCount = 0;
    count = 0;
  }

  void add(@Nullable ByteRanges set) {
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

  /** {@return the lowest taken byte, {@link Long#MAX_VALUE} for none} */
  long lowest() {
    long lowest = Long.MAX_VALUE;
    for (int k = 0; k < setCount; k++) {
      lowest = Math.min(lowest, sets[k].start(0));
    }
    return lowest;
  }

  /** Makes the ranges of all sets readable by index. */
  void merge() {
    long base = base();
    count = 0;
    int runCount = 0;
    if (base > 0) {
      runCount = startRun(runCount);
      append(0, base);
    }
    for (int k = 0; k < setCount; k++) {
      ByteRanges set = sets[k];
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

  /** {@return up to where everything is taken} */
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

  /** Merges each two runs into one and {@return how many runs are left} */
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
