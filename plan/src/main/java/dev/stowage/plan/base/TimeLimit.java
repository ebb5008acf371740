package dev.stowage.plan.base;

import java.time.Duration;

/** Arithmetic of time limits. */
public final class TimeLimit {

  private TimeLimit() {}

  /** {@return a duration in nanoseconds, at most {@link Long#MAX_VALUE}} */
  public static long nanos(Duration limit) {
    try {
      return limit.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE; // 292 years
    }
  }
}
