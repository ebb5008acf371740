package dev.stowage.trace.tune;

import dev.stowage.trace.tune.Trial.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Settings for several traces, with the bytes that each trace loses against its own best settings.
 *
 * @param candidate the settings
 * @param results the results, in the order of the traces
 * @param lostBytes the bytes by which the peak of each trace exceeds the best one; negative if more
 *     requests fail with these settings than with the best ones
 * @param lostShares these bytes as shares of the best peaks
 */
public record CommonSettings(
    Candidate candidate, List<Trial> results, List<Long> lostBytes, List<Double> lostShares) {

  /** Creates a result. */
  public CommonSettings {
    results = List.copyOf(results);
    lostBytes = List.copyOf(lostBytes);
    lostShares = List.copyOf(lostShares);
  }

  /** {@return the largest share that a trace loses} */
  public double maxRegret() {
    return lostShares.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** {@return the number of requests that fail in all traces} */
  public long failures() {
    return results.stream().mapToLong(trial -> trial.result().failures()).sum();
  }

  private long reservedBytes() {
    return results.stream().mapToLong(trial -> trial.result().peakReservedBytes()).sum();
  }

  private long coldBytes() {
    return results.stream().mapToLong(trial -> trial.cold().peakReservedBytes()).sum();
  }

  /**
   * {@return all settings with a result for each trace, the best ones first: fewer failures; a
   * smaller maximum regret; then a smaller sum of the peaks, with and without the recorded cache;
   * fewer settings that differ from the defaults. Equal ones keep the order of the candidates}
   *
   * @param candidates the candidates for all traces
   * @param tunings the searches, one for each trace, each with all candidates and with as many
   *     results to keep
   */
  public static List<CommonSettings> of(List<Candidate> candidates, List<TraceTuning> tunings) {
    List<Map<String, Trial>> trials = tunings.stream().map(TraceTuning::byCandidate).toList();
    List<Outcome> best =
        trials.stream()
            .map(all ->
                all.values().stream()
                    .map(Trial::result)
                    .min(Outcome.BEST_FIRST)
                    .orElse(new Outcome(0, 0, 0, 0, 0, 0)))
            .toList();
    return candidates.stream()
        .filter(candidate -> trials.stream().allMatch(all -> all.containsKey(candidate.settings())))
        .map(candidate ->
            of(candidate, trials.stream().map(all -> all.get(candidate.settings())).toList(), best))
        .sorted(
            Comparator.comparingLong(CommonSettings::failures)
                .thenComparingDouble(CommonSettings::maxRegret)
                .thenComparingLong(CommonSettings::reservedBytes)
                .thenComparingLong(CommonSettings::coldBytes)
                .thenComparingInt(settings -> settings.candidate().changes()))
        .toList();
  }

  private static CommonSettings of(Candidate candidate, List<Trial> trials, List<Outcome> best) {
    List<Long> bytes = new ArrayList<>();
    List<Double> shares = new ArrayList<>();
    for (int i = 0; i < trials.size(); i++) {
      long least = best.get(i).peakReservedBytes();
      long lost = trials.get(i).result().peakReservedBytes() - least;
      bytes.add(lost);
      shares.add(least == 0 ? (lost > 0 ? Double.POSITIVE_INFINITY : 0.0) : (double) lost / least);
    }
    return new CommonSettings(candidate, trials, bytes, shares);
  }
}
