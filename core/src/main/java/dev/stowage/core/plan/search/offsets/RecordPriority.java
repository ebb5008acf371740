package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.base.IndexOrder;

/** What makes a record come first, by the weights of the sections at which it is live. */
enum RecordPriority {
  /** Its bytes, at each section by its weight. */
  AREA {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return weightSum * bytes;
    }
  },

  /** How many sections it spans, by their weights. */
  SPAN {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return weightSum;
    }
  },

  /** The heaviest section at which it is live, then how long it lives. */
  PEAK {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return largestWeight * 1e6 + lifetime;
    }
  },

  /** Its bytes at all sections, by the weight of the heaviest. */
  PEAK_AREA {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return largestWeight * sections * bytes;
    }
  },

  /** Its sections, by the weight of the heaviest. */
  PEAK_SPAN {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return largestWeight * sections;
    }
  };

  abstract double of(
      double weightSum, double largestWeight, int sections, double lifetime, long bytes);

  /** {@return the records of a part, the first ones first; of equal ones the one of lower index} */
  int[] order(Partition part, SectionWeights weights) {
    double[] keys = new double[part.recordCount()];
    for (int record = 0; record < keys.length; record++) {
      double sum = 0;
      double largest = 0;
      int sections = 0;
      int[] ranges = part.sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
          sum += weights.of(section);
          largest = Math.max(largest, weights.of(section));
          sections++;
        }
      }
      keys[record] = of(sum, largest, sections, part.lifetimes[record], part.bytes[record]);
    }
    // The bits of positive numbers are in the order of the numbers.
    return IndexOrder.descending(keys.length, record -> Double.doubleToLongBits(keys[record]));
  }
}
