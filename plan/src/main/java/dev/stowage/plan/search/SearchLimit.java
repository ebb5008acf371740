package dev.stowage.plan.search;

import dev.stowage.plan.base.TimeLimit;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** The time limit and the cancellation of a search. */
final class SearchLimit {

  /*
   * Quick plans have a grace period after the time limit. For up to a few thousand records, it is
   * long enough for all strategies, so that even a search with time limit 0 is as good as each of
   * them.
   */

  /** The grace period of quick plans. */
  private static final long GRACE_NANOS = 150_000_000;

  private final LongSupplier nanoTime;
  private final long limitNanos;
  private volatile long startNanos;
  private volatile Thread runner = Thread.currentThread();
  private volatile boolean cancelled;
  private volatile long cancelledNanos = Long.MAX_VALUE;
  private volatile boolean over;

  /**
   * Creates a limit of the time after {@link #start}.
   *
   * @param limit the time limit; not negative
   * @param nanoTime a clock in nanoseconds, as {@link System#nanoTime}
   */
  SearchLimit(Duration limit, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    limitNanos = TimeLimit.nanos(limit);
    startNanos = nanoTime.getAsLong();
  }

  /** Starts the clock. From now on, an interrupt of the calling thread cancels the search. */
  void start() {
    runner = Thread.currentThread();
    startNanos = nanoTime.getAsLong();
    if (cancelled) {
      cancelledNanos = 0;
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

  /** {@return true if the search is cancelled or its thread was interrupted} */
  boolean isCancelled() {
    if (!cancelled && runner.isInterrupted()) {
      cancel();
    }
    return cancelled;
  }

  /** {@return true if the time limit has passed or the search is cancelled} */
  boolean isOver() {
    if (!over && (isCancelled() || elapsedNanos() >= limitNanos)) {
      over = true;
    }
    return over;
  }

  /** {@return true if the grace period after the limit has passed or the search is cancelled} */
  boolean isOverForQuickPlans() {
    return isCancelled() || isOverForFirstPlan();
  }

  /** {@return true if the grace period after the limit or after the cancellation has passed} */
  boolean isOverForFirstPlan() {
    return elapsedNanos() - Math.min(limitNanos, cancelledNanos) >= GRACE_NANOS;
  }

  /** {@return {@link #isOver} as a supplier} */
  BooleanSupplier stop() {
    return this::isOver;
  }
}
