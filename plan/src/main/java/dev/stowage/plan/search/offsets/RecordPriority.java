package dev.stowage.plan.search.offsets;

import dev.stowage.plan.base.IndexOrder;

/** The sort keys of records in a search, from the weights of the sections of each record. */
enum RecordPriority {
  /** The sum of the weights of the sections, times the bytes. */
  AREA {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return weightSum * bytes;
    }
  },

  /** The sum of the weights of the sections. */
  SPAN {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return weightSum;
    }
  },

  /** The largest weight of a section, then the length of the lifetime. */
  PEAK {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return largestWeight * 1e6 + lifetime;
    }
  },

  /** The largest weight of a section, times the number of sections and the bytes. */
  PEAK_AREA {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return largestWeight * sections * bytes;
    }
  },

  /** The largest weight of a section, times the number of sections. */
  PEAK_SPAN {
    @Override
    double of(double weightSum, double largestWeight, int sections, double lifetime, long bytes) {
      return largestWeight * sections;
    }
  };

  /**
   * {@return the key of a record}
   *
   * @param weightSum the sum of the weights of its sections
   * @param largestWeight the largest of these weights
   * @param sections the number of its sections
   * @param lifetime its entry in {@link Partition#lifetimes}
   * @param bytes its size
   */
  abstract double of(
      double weightSum, double largestWeight, int sections, double lifetime, long bytes);

  /** {@return the records of a partition by descending key, then by index} */
  int[] order(Partition partition, SectionWeights weights) {
    double[] keys = new double[partition.recordCount()];
    for (int record = 0; record < keys.length; record++) {
      double sum = 0;
      double largest = 0;
      int sections = 0;
      int[] ranges = partition.sectionRanges[record];
      for (int k = 0; k < ranges.length; k += 2) {
        for (int section = ranges[k]; section <= ranges[k + 1]; section++) {
          sum += weights.of(section);
          largest = Math.max(largest, weights.of(section));
          sections++;
        }
      }
      keys[record] =
          of(sum, largest, sections, partition.lifetimes[record], partition.bytes[record]);
    }
    // The bit patterns of positive doubles have the order of the numbers.
    return IndexOrder.descending(keys.length, record -> Double.doubleToLongBits(keys[record]));
  }
}
