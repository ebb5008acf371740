package dev.stowage.plan.base;

import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A counter of the steps of a long computation that checks a stop condition at intervals.
 *
 * <p>A step takes about a nanosecond. The first call checks the condition, too. Once the condition
 * was true, it is not checked again. For one thread.
 */
public final class StepCounter {

  /** Steps between two checks of the condition; less than 0.1 ms. */
  public static final int INTERVAL_STEPS = 1 << 16;

  private final BooleanSupplier stop;
  private long steps = INTERVAL_STEPS;
  private boolean stopped;

  /**
   * Creates a counter.
   *
   * @param stop the condition; true to stop
   */
  public StepCounter(BooleanSupplier stop) {
    this.stop = stop;
  }

  /**
   * Counts {@code count} more steps.
   *
   * @return true if the computation must stop
   */
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
   * @throws CancellationException if the computation must stop
   */
  public void check(long count) {
    if (isStopped(count)) {
      throw new CancellationException("stopped");
    }
  }
}
