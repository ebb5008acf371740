package dev.stowage.plan.fit;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The ranges of several {@link OffsetRanges}, merged by ascending start; they may overlap. */
final class OffsetRangesUnion {

  /*
   * O(r log s) for r ranges of s sets. An arena is usually full at its lower end. One range from 0
   * to base() replaces all ranges below.
   */

  private OffsetRanges[] sets = new OffsetRanges[64];
  private int setCount;

  private final RangeRuns runs = new RangeRuns();

  void clear() {
    setCount = 0;
    runs.clear();
  }

  /** Adds a set; null is an empty set. */
  void add(@Nullable OffsetRanges set) {
    if (set != null) {
      if (setCount == sets.length) {
        sets = Arrays.copyOf(sets, 2 * setCount);
      }
      sets[setCount++] = set;
    }
  }

  /** {@return the lowest byte of all sets; {@link Long#MAX_VALUE} if there is no set} */
  long lowest() {
    long lowest = Long.MAX_VALUE;
    for (int k = 0; k < setCount; k++) {
      lowest = Math.min(lowest, sets[k].start(0));
    }
    return lowest;
  }

  /** {@return the ranges of all sets, merged} */
  RangeRuns merge() {
    runs.clear();
    long base = base();
    if (base > 0) {
      runs.startRun();
      runs.append(0, base);
    }
    for (int k = 0; k < setCount; k++) {
      OffsetRanges set = sets[k];
      int from = set.firstEndingAfter(base, 0);
      if (from < set.count()) {
        runs.startRun();
        for (int range = from; range < set.count(); range++) {
          runs.append(set.start(range), set.end(range));
        }
      }
    }
    runs.merge();
    return runs;
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
}
