package dev.stowage.core.plan.search.offsets;

import java.util.Arrays;

/**
 * How hard each section of a part has been so far, learned from where placing failed.
 *
 * <p>At first it is a section's share of the heaviest one's live bytes.
 */
final class SectionWeights {

  /** What one failure adds; the hardest section weighs 1 after each {@link #level}. */
  private static final double FAILURE = 0.01;

  private final double[] weights;

  SectionWeights(Partition part) {
    weights = new double[part.sectionCount()];
    for (int section = 0; section < weights.length; section++) {
      for (int member : part.members[section]) {
        weights[section] += part.bytes[member];
      }
    }
    level();
  }

  double of(int section) {
    return weights[section];
  }

  /** Notes that nothing could be placed further at a section. */
  void failed(int section) {
    weights[section] += FAILURE;
  }

  /** Notes that a record could not be placed, which lives at some sections. */
  void failed(int firstSection, int lastSection) {
    double share = FAILURE / (lastSection - firstSection + 1);
    for (int section = firstSection; section <= lastSection; section++) {
      weights[section] += share;
    }
  }

  /** Makes the largest weight 1, so that what comes counts as much as what was. */
  void level() {
    double largest = Arrays.stream(weights).max().orElse(1);
    for (int section = 0; section < weights.length; section++) {
      weights[section] /= largest;
    }
  }
}
