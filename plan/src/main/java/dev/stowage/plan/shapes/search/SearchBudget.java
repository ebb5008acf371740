package dev.stowage.plan.shapes.search;

import dev.stowage.plan.base.TimeLimit;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The time and the nodes that a search for layouts may still use. */
final class SearchBudget {

  /*
   * Short formulas and small arenas have a grace period after the time limit. For up to a few thousand
   * records, it is long enough for all layouts.
   */

  /** The grace period. */
  private static final long GRACE_NANOS = 500_000_000;

  private final LongSupplier nanoTime;
  private final long startNanos;
  private final long limitNanos;
  private final long nodeLimit;
  private long nodes;
  private volatile boolean cancelled;

  SearchBudget(Duration timeLimit, long nodeLimit, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.nodeLimit = nodeLimit;
    startNanos = nanoTime.getAsLong();
    limitNanos = TimeLimit.nanos(timeLimit);
  }

  void cancel() {
    cancelled = true;
  }

  boolean isCancelled() {
    return cancelled;
  }

  /** Counts nodes. */
  void spend(long count) {
    nodes += count;
  }

  /** {@return true if a part, from 0 to 1, of the time or of the nodes is used} */
  boolean isOver(double part) {
    boolean late = elapsedNanos() >= limitNanos * part;
    return cancelled || late || nodes >= nodeLimit * part;
  }

  /**
   * {@return true if all of the time is used or the search is cancelled, so that it returns the
   * best layouts so far}
   */
  boolean isLate() {
    return cancelled || elapsedNanos() >= limitNanos;
  }

  /** {@return true if the search is cancelled or the grace period after the time has passed} */
  boolean isGraceOver() {
    return cancelled || elapsedNanos() - limitNanos >= GRACE_NANOS;
  }

  private long elapsedNanos() {
    return nanoTime.getAsLong() - startNanos;
  }

  /** {@return the time that is left of a part} */
  Duration timeLeft(double part) {
    return Duration.ofNanos(Math.max(0, (long) (limitNanos * part) - elapsedNanos()));
  }

  /** {@return the nodes that are left of a part} */
  long nodesLeft(double part) {
    return Math.max(0, (long) (nodeLimit * part) - nodes);
  }
}
