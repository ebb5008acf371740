package dev.stowage.core.trace;

import dev.stowage.core.bfc.BfcOptions;
import dev.stowage.core.bfc.OutOfMemoryVerdict;
import java.util.List;
import java.util.OptionalLong;

/**
 * Changes of options with which no request of a history fails, each of them replayed.
 *
 * <p>A history that passes with a limit may fail with a higher one, since regions that double then
 * have other sizes. The search halves the range between a limit that fails and one that passes. So
 * there may be lower limits that pass than the one that it finds.
 *
 * @param limitBytes a limit, a multiple of 256; empty if none was found
 * @param isTight whether the history fails with 256 bytes less; false if the search ended early
 * @param maxDeadBytes the largest power of two below the present split threshold, at the present
 *     limit; empty if the first failure is no {@link OutOfMemoryVerdict#INTERNAL_FRAGMENTATION}, or
 *     if none helps
 */
public record ReplayAdvice(OptionalLong limitBytes, boolean isTight, OptionalLong maxDeadBytes) {

  /** How many events are replayed at most: some seconds. */
  public static final long MOST_EVENTS = 4_000_000;

  /**
   * {@return the changes that let a history pass that fails}
   *
   * <p>Costs some thirty replays, and at most as many as have 4,000,000 events together, which for
   * long histories is none.
   *
   * @param events the history
   * @param options with which it fails
   * @param verdict of its first failure
   */
  public static ReplayAdvice find(
      List<AllocationEvent> events, BfcOptions options, OutOfMemoryVerdict verdict) {
    return new AdviceSearch(events, options, true, MOST_EVENTS).run(verdict);
  }

  /** {@return true if no change is known} */
  public boolean isEmpty() {
    return limitBytes.isEmpty() && maxDeadBytes.isEmpty();
  }
}
