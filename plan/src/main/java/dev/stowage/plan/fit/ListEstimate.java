package dev.stowage.plan.fit;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.time.TaskRanks;
import java.util.List;
import java.util.Optional;

/**
 * The expected cost of {@link PlacedLists} for records that are known beforehand.
 *
 * @param records the number of records
 * @param shift an interval has 2^shift ranks
 * @param passed the records that the calls for all records pass, if half of them are placed on
 *     average
 */
record ListEstimate(int records, int shift, long passed) {

  /** An interval has at least this many times the ranks of a mean lifetime. */
  private static final int LIFETIMES_PER_INTERVAL = 4;

  private static final int MAX_SHIFT = 30;

  /** The most intervals of a lifetime, on average. */
  private static final long MAX_INTERVALS = 4;

  /** The most records that a call passes, on average. */
  private static final long MAX_PASSED = 2_048;

  /** With fewer passed records for each call, no other structure is faster. */
  private static final long ALWAYS_FAST_PASSED = 32;

  /** The number of records that a list passes while a tree merges one range. */
  private static final long PASSED_PER_RANGE = 8;

  /** {@return the estimate; empty if lists would be slow} */
  static Optional<ListEstimate> of(TaskRanks ranks, List<TensorUsageRecord> records) {
    int count = records.size();
    // The first task is before all ranks if a gap without a window begins there.
    int[] firsts =
        records.stream().mapToInt(r -> Math.max(0, ranks.ofLast(r.firstTask()))).toArray();
    int[] lasts = records.stream().mapToInt(r -> Math.max(0, ranks.ofLast(r.lastTask()))).toArray();
    int shift = shift(firsts, lasts);
    // First the changes between intervals, then the records in each one, then those up to it.
    long[] met = new long[(Math.max(0, ranks.count() - 1) >> shift) + 2];
    long intervals = 0;
    for (int i = 0; i < count; i++) {
      met[firsts[i] >> shift]++;
      met[(lasts[i] >> shift) + 1]--;
      intervals += 1 + (lasts[i] >> shift) - (firsts[i] >> shift);
    }
    addUp(met);
    addUp(met);
    long passed = 0;
    for (int i = 0; i < count; i++) {
      int before = (firsts[i] >> shift) - 1;
      passed += (met[lasts[i] >> shift] - (before < 0 ? 0 : met[before])) / 2;
    }
    return intervals <= MAX_INTERVALS * count && passed <= MAX_PASSED * count
        ? Optional.of(new ListEstimate(count, shift, passed))
        : Optional.empty();
  }

  private static int shift(int[] firsts, int[] lasts) {
    long ranks = 0;
    for (int i = 0; i < firsts.length; i++) {
      ranks += 1L + lasts[i] - firsts[i];
    }
    long mean = ranks / Math.max(1, firsts.length) + 1;
    int shift = Long.SIZE - Long.numberOfLeadingZeros(LIFETIMES_PER_INTERVAL * mean - 1);
    return Math.min(MAX_SHIFT, shift);
  }

  private static void addUp(long[] values) {
    for (int k = 1; k < values.length; k++) {
      values[k] += values[k - 1];
    }
  }

  /**
   * {@return the number of placed records that {@link #areFaster} needs to compare lists with a
   * tree; 0 if no comparison is needed}
   */
  int recordsToCompare() {
    return passed <= ALWAYS_FAST_PASSED * records
        ? 0
        : (int) Math.max(1, ALWAYS_FAST_PASSED * records * (double) records / passed);
  }

  /**
   * {@return true if lists would have been faster so far than a tree}
   *
   * <p>A tree merges few ranges if records touch each other.
   *
   * @param ranges the ranges that the tree merged
   * @param placed the number of placed records
   */
  boolean areFaster(long ranges, int placed) {
    return PASSED_PER_RANGE * ranges > (double) placed * placed / records * passed / records;
  }
}
