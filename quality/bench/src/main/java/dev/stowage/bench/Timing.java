package dev.stowage.bench;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * The time of an operation in the iterations of a run, of all threads together.
 *
 * @param leastNanos the time in the fastest iteration, which other load on the machine affects
 *     least
 * @param medianNanos the time in the median iteration
 */
record Timing(double leastNanos, double medianNanos) {

  /**
   * {@return the timing of a run that measured JMH operations per microsecond}
   *
   * @param operations the number of operations in one operation of JMH
   */
  static Timing of(RunResult run, int operations) {
    Statistics perMicrosecond = run.getPrimaryResult().getStatistics();
    double nanos = 1_000.0 / operations;
    return new Timing(nanos / perMicrosecond.getMax(), nanos / perMicrosecond.getPercentile(50));
  }
}
