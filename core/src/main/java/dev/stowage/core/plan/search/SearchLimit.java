package dev.stowage.core.plan.search;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The end of a search: its time limit, or the moment at which it is cancelled. */
final class SearchLimit {

  /*
   * Plans of strategies may take a little longer than the search itself: below a few thousand
   * records that is enough for all of them, so that a search without time is as good as they are.
   */

  /** How much longer than the limit quick plans may take. */
  private static final long GRACE_NANOS = 150_000_000;

  private final LongSupplier nanoTime;
  private final long limitNanos;
  private volatile long startNanos;
  private volatile Thread runner = Thread.currentThread();
  private volatile boolean cancelled;
  private volatile long cancelledNanos = Long.MAX_VALUE;
  private volatile boolean over;

  /**
   * A limit whose time begins with {@link #start}.
   *
   * @param limit not negative
   * @param nanoTime a clock in nanoseconds, as {@link System#nanoTime}
   */
  SearchLimit(Duration limit, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    limitNanos = nanos(limit);
    startNanos = nanoTime.getAsLong();
  }

  /** Starts the time. From now on, an interrupt of the calling thread cancels the search. */
  void start() {
    runner = Thread.currentThread();
    startNanos = nanoTime.getAsLong();
  }

  /** {@return a duration in nanoseconds, at most {@link Long#MAX_VALUE}} */
  static long nanos(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException e) {
      return Long.MAX_VALUE; // 292 years are no limit
    }
  }

  /** {@return the nanoseconds since the start} */
  long elapsedNanos() {
    return nanoTime.getAsLong() - startNanos;
  }

  /** Ends the search; any thread may call this. */
  void cancel() {
    if (!cancelled) {
      cancelledNanos = elapsedNanos();
      cancelled = true;
    }
  }

  /** {@return true if the search is cancelled, or its thread is interrupted} */
  boolean isCancelled() {
    if (!cancelled && runner.isInterrupted()) {
      cancel();
    }
    return cancelled;
  }

  /** {@return true if the time is over or the search is cancelled} */
  boolean isOver() {
    if (!over && (isCancelled() || elapsedNanos() >= limitNanos)) {
      over = true;
    }
    return over;
  }

  /** {@return true if quick plans are to stop: when cancelled, or a little after the time} */
  boolean isOverForQuickPlans() {
    return isCancelled() || isOverForFirstPlan();
  }

  /** {@return true if the first plan is to stop: a little after the time or being cancelled} */
  boolean isOverForFirstPlan() {
    return elapsedNanos() - Math.min(limitNanos, cancelledNanos) >= GRACE_NANOS;
  }

  /** {@return {@link #isOver} as a question to ask} */
  BooleanSupplier stop() {
    return this::isOver;
  }
}
