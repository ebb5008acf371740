package dev.stowage.bench;

import java.util.Random;

/** Distributions of the sizes of blocks, from 256 bytes to 1 MiB. */
public enum SizeDistribution {
  /** All sizes have the same probability. */
  UNIFORM,
  /** All powers of two have the same probability. */
  LOG_UNIFORM;

  private static final int SMALLEST_BYTES = 256;
  private static final int LARGEST_BYTES = 1 << 20;

  /** {@return the mean of all sizes} */
  double meanBytes() {
    return switch (this) {
      case UNIFORM -> (SMALLEST_BYTES + LARGEST_BYTES) / 2.0;
      case LOG_UNIFORM ->
          (LARGEST_BYTES - SMALLEST_BYTES) / Math.log(LARGEST_BYTES / (double) SMALLEST_BYTES);
    };
  }

  /**
   * {@return sizes, equal for equal counts}
   *
   * @param count the number of sizes
   */
  long[] draw(int count) {
    Random random = new Random(1);
    long[] bytes = new long[count];
    for (int i = 0; i < count; i++) {
      bytes[i] =
          switch (this) {
            case UNIFORM -> random.nextLong(SMALLEST_BYTES, LARGEST_BYTES + 1);
            case LOG_UNIFORM ->
                (long)
                    (SMALLEST_BYTES
                        * Math.pow(LARGEST_BYTES / (double) SMALLEST_BYTES, random.nextDouble()));
          };
    }
    return bytes;
  }
}
