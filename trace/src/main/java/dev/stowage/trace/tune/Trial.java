package dev.stowage.trace.tune;

import java.util.Comparator;
import java.util.Optional;

/**
 * The result of a replay with settings.
 *
 * @param candidate the settings
 * @param result the result
 * @param withoutCache the result of a replay without the recorded cache, if it was made
 */
public record Trial(Candidate candidate, Outcome result, Optional<Outcome> withoutCache) {

  /**
   * The order of results, the best one first: fewer failures; a smaller peak; then the same without
   * the recorded cache; fewer settings that differ from the defaults; fewer device calls. Equal
   * results keep the order of the candidates.
   */
  public static final Comparator<Trial> BEST_FIRST =
      Comparator.comparing(Trial::result, Outcome.BEST_FIRST)
          .thenComparing(Trial::cold, Outcome.BEST_FIRST)
          .thenComparingInt(trial -> trial.candidate().changes())
          .thenComparingLong(trial -> trial.result().deviceCalls())
          .thenComparingLong(trial -> trial.cold().deviceCalls());

  /** {@return the result without the recorded cache, or the result if both are the same} */
  public Outcome cold() {
    return withoutCache.orElse(result);
  }

  /**
   * The figures of a replay.
   *
   * @param failures the number of requests that failed
   * @param peakReservedBytes the largest number of bytes that the allocator held
   * @param deviceCalls the number of times that it got memory from the device or returned it
   */
  public record Outcome(long failures, long peakReservedBytes, long deviceCalls) {

    static final Comparator<Outcome> BEST_FIRST =
        Comparator.comparingLong(Outcome::failures).thenComparingLong(Outcome::peakReservedBytes);
  }
}
