package dev.stowage.trace.tune;

import dev.stowage.trace.replay.TraceReplay;
import java.util.Comparator;

/**
 * The result of a replay with settings.
 *
 * @param candidate the settings
 * @param result the result
 */
public record Trial(Candidate candidate, Outcome result) {

  /**
   * The order of results, the best one first: fewer failures; a smaller peak; fewer settings that
   * differ from the defaults; fewer device calls. Equal results keep the order of the candidates.
   */
  public static final Comparator<Trial> BEST_FIRST =
      Comparator.comparing(Trial::result, Outcome.BEST_FIRST)
          .thenComparingInt(trial -> trial.candidate().changes())
          .thenComparingLong(trial -> trial.result().deviceCalls());

  /**
   * The figures of a replay and of its variants, in which chance decides otherwise.
   *
   * @param failures the highest number of requests that failed
   * @param lowFailures the lowest number; it equals the highest one if nothing depends on chance
   * @param peakReservedBytes the largest number of bytes that the allocator held
   * @param lowBytes the smallest peak; it equals the largest one if nothing depends on chance
   * @param deviceCalls the number of times that it got memory from the device or returned it
   * @param retries the number of times that cached memory was released to serve a request
   */
  public record Outcome(
      long failures,
      long lowFailures,
      long peakReservedBytes,
      long lowBytes,
      long deviceCalls,
      long retries) {

    static final Comparator<Outcome> BEST_FIRST =
        Comparator.comparingLong(Outcome::failures).thenComparingLong(Outcome::peakReservedBytes);

    /** {@return the figures of a replay so far} */
    static Outcome of(TraceReplay replay) {
      long peak = replay.peakReservedBytes();
      long failures = replay.failures();
      return new Outcome(failures, failures, peak, peak, replay.deviceCalls(), replay.retries());
    }

    /** {@return these figures with the failures and the peak of a variant} */
    Outcome with(Outcome variant) {
      return new Outcome(
          Math.max(failures, variant.failures),
          Math.min(lowFailures, variant.lowFailures),
          Math.max(peakReservedBytes, variant.peakReservedBytes),
          Math.min(lowBytes, variant.lowBytes),
          deviceCalls,
          retries);
    }

    /**
     * {@return true if no more requests fail than in another one, and the peak is at most 1 %
     * higher}
     */
    public boolean isNear(Outcome best) {
      return failures <= best.failures
          && peakReservedBytes - best.peakReservedBytes <= best.peakReservedBytes / 100;
    }
  }
}
