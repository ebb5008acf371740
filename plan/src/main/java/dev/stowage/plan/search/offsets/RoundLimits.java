package dev.stowage.plan.search.offsets;

import java.util.Arrays;

/**
 * Limits of the rounds around a cycle of lifted records: beyond a limit, lifting never ends. The
 * alignment of the record that counts the rounds determines the limit; see {@link PairSearch}.
 */
final class RoundLimits {

  /** The distinct alignments, ascending. */
  private final long[] alignments;

  private final long[] limits;

  private final boolean areProved;

  private RoundLimits(long[] alignments, long[] limits, boolean areProved) {
    this.alignments = alignments;
    this.limits = limits;
    this.areProved = areProved;
  }

  /**
   * {@return the limits for some records}
   *
   * @param ofRecords the alignment of each movable record
   */
  static RoundLimits of(long[] ofRecords) {
    long[] alignments = Arrays.stream(ofRecords).sorted().distinct().toArray();
    long[] limits = new long[alignments.length];
    long limit = 1;
    boolean areProved = true;
    for (int k = alignments.length - 1; k >= 0; k--) {
      long alignment = alignments[k];
      areProved &= k == 0 || alignment % alignments[k - 1] == 0;
      limits[k] = limit;
      long count = Arrays.stream(ofRecords).filter(other -> other == alignment).count();
      limit = limit > Integer.MAX_VALUE ? limit : limit * (count + 1);
    }
    if (!areProved) {
      Arrays.fill(limits, ofRecords.length + 1L);
    }
    return new RoundLimits(alignments, limits, areProved);
  }

  /** {@return the largest number of rounds of a lift that ends} */
  long of(long alignment) {
    return limits[Arrays.binarySearch(alignments, alignment)];
  }

  /** {@return true if a lift of more rounds provably never ends} */
  boolean areProved() {
    return areProved;
  }
}
