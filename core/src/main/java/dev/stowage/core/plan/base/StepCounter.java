package dev.stowage.core.plan.base;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Counts the steps of a long computation and asks, once for every so many steps, whether to stop.
 *
 * <p>A step takes about a nanosecond. The first step asks; an answer to stop is final. For one
 * thread.
 */
public final class StepCounter {

  /** Steps between two questions: a small part of a millisecond. */
  public static final int INTERVAL_STEPS = 1 << 16;

  private final BooleanSupplier stop;
  private long steps = INTERVAL_STEPS;
  private boolean stopped;

  /**
   * A counter.
   *
   * @param stop whether to stop
   */
  public StepCounter(BooleanSupplier stop) {
    this.stop = stop;
  }

  /** Counts {@code count} more steps and {@return true if the computation is to stop} */
  public boolean isStopped(long count) {
    steps += count;
    if (steps >= INTERVAL_STEPS && !stopped) {
      steps = 0;
      stopped = stop.getAsBoolean();
    }
    return stopped;
  }

  /**
   * Counts {@code count} more steps.
   *
   * @throws CancellationException if the computation is to stop
   */
  public void check(long count) {
    if (isStopped(count)) {
      throw new CancellationException("stopped");
    }
  }
}
