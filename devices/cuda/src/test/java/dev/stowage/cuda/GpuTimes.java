package dev.stowage.cuda;

import java.util.Arrays;

/**
 * The times of one operation of this module and of the driver.
 *
 * @param ourNanos the median of the rounds of this module
 * @param driverNanos the median of the rounds of the driver
 */
record GpuTimes(double ourNanos, double driverNanos) {

  /** Enough rounds of a short operation for the compiler of the JVM. */
  private static final int WARMUP_ROUNDS = 10;

  /**
   * {@return the medians of some rounds, in turns, after some that do not count}
   *
   * @param times how often a round repeats the operation
   */
  static GpuTimes of(int rounds, int times, Runnable ours, Runnable theirs) {
    double[] ourNanos = new double[rounds];
    double[] driverNanos = new double[rounds];
    for (int i = 0; i < (times == 1 ? 1 : WARMUP_ROUNDS); i++) {
      nanos(times, ours);
      nanos(times, theirs);
    }
    for (int i = 0; i < rounds; i++) {
      ourNanos[i] = nanos(times, ours);
      driverNanos[i] = nanos(times, theirs);
    }
    return new GpuTimes(median(ourNanos), median(driverNanos));
  }

  private static double nanos(int times, Runnable action) {
    long start = System.nanoTime();
    for (int i = 0; i < times; i++) {
      action.run();
    }
    return (double) (System.nanoTime() - start) / times;
  }

  static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
