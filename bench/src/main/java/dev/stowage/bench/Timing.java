package dev.stowage.bench;

import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/**
 * How long an operation took, over the iterations of a run; of several threads, together.
 *
 * @param leastNanos in the fastest iteration: what else the machine does can only add
 * @param medianNanos in the median
 */
record Timing(double leastNanos, double medianNanos) {

  /**
   * {@return the timing of a run that counted JMH's operations a microsecond}
   *
   * @param operations how many operations are one of JMH's
   */
  static Timing of(RunResult run, int operations) {
    Statistics perMicrosecond = run.getPrimaryResult().getStatistics();
    double nanos = 1_000.0 / operations;
    return new Timing(nanos / perMicrosecond.getMax(), nanos / perMicrosecond.getPercentile(50));
  }
}
