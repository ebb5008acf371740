package dev.stowage.plan.search.offsets;

import java.util.Arrays;

/**
 * The difficulty of each section of a partition, learned from failed placements.
 *
 * <p>The initial weight of a section is the sum of its live bytes, divided by the sum of the
 * heaviest section. Failures add weight, as in Boussemart et al., "Boosting Systematic Search by
 * Weighting Constraints" (2004).
 */
final class SectionWeights {

  /** The weight of one failure, relative to the largest weight. */
  private static final double FAILURE_WEIGHT = 0.01;

  private final double[] weights;

  SectionWeights(Partition partition) {
    weights = new double[partition.sectionCount()];
    for (int section = 0; section < weights.length; section++) {
      for (int member : partition.members[section]) {
        weights[section] += partition.bytes[member];
      }
    }
    normalize();
  }

  double of(int section) {
    return weights[section];
  }

  /** Adds a failure: the unplaced records of a section do not fit. */
  void addFailure(int section) {
    weights[section] += FAILURE_WEIGHT;
  }

  /** Adds the failure to place a record, divided among its sections. */
  void addFailure(int firstSection, int lastSection) {
    double share = FAILURE_WEIGHT / (lastSection - firstSection + 1);
    for (int section = firstSection; section <= lastSection; section++) {
      weights[section] += share;
    }
  }

  /** Scales the weights to a maximum of 1; a failure adds {@link #FAILURE_WEIGHT}. */
  void normalize() {
    double largest = Arrays.stream(weights).max().orElse(1);
    for (int section = 0; section < weights.length; section++) {
      weights[section] /= largest;
    }
  }
}
