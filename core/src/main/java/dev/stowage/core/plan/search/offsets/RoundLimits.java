package dev.stowage.core.plan.search.offsets;

import java.util.Arrays;

/**
 * After how many rounds of lifting records around a cycle there is no end to it, by the alignment
 * of the record at which the rounds are counted; see {@link PairSearch}.
 */
final class RoundLimits {

  /** Distinct alignments, ascending. */
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
   * @param ofRecords the alignment of each record that can be lifted
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

  /** {@return the number of rounds that may be of use} */
  long of(long alignment) {
    return limits[Arrays.binarySearch(alignments, alignment)];
  }

  /** {@return true if more rounds prove that there is no end to them} */
  boolean areProved() {
    return areProved;
  }
}
