package dev.stowage.bench;

import java.util.Random;

/** Distributions of the sizes of blocks, from 256 bytes to 1 MiB. */
public enum SizeDistribution {
  /** All sizes have the same probability. */
  UNIFORM,
  /** All powers of two have the same probability. */
  LOG_UNIFORM,
  /** 64 sizes with equal ratios, as in a program that repeats its requests. */
  LOG_UNIFORM_OF_64;

  /** A power of two that is small enough for the cache. */
  private static final int MANY = 1 << 13;

  private static final int FEW = 64;

  private static final int SMALLEST_BYTES = 256;
  private static final int LARGEST_BYTES = 1 << 20;

  /** {@return the number of sizes to draw for a benchmark, a power of two} */
  int count() {
    return this == LOG_UNIFORM_OF_64 ? FEW : MANY;
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
            case LOG_UNIFORM -> logUniform(random.nextDouble());
            case LOG_UNIFORM_OF_64 -> logUniform((i % FEW + 0.5) / FEW);
          };
    }
    return bytes;
  }

  private static long logUniform(double share) {
    return (long) (SMALLEST_BYTES * Math.pow(LARGEST_BYTES / (double) SMALLEST_BYTES, share));
  }
}
