package dev.stowage.cli.tune;

import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.CommonSettings;
import java.util.List;
import java.util.Optional;

/**
 * The result of a search for settings for several traces.
 *
 * @param reports the results for each trace
 * @param settings the settings with a result for all traces, the best ones first
 */
public record CommonReport(List<TuningReport> reports, List<CommonSettings> settings) {

  /** Creates a report. */
  public CommonReport {
    reports = List.copyOf(reports);
    settings = List.copyOf(settings);
  }

  /**
   * {@return the result of searches, which all tried the same settings; empty if no settings have a
   * result for all traces}
   *
   * @param reports the results for each trace
   * @param candidates the settings
   */
  public static Optional<CommonReport> of(List<TuningReport> reports, List<Candidate> candidates) {
    List<CommonSettings> settings =
        CommonSettings.of(candidates, reports.stream().map(TuningReport::tuning).toList());
    return settings.isEmpty() ? Optional.empty() : Optional.of(new CommonReport(reports, settings));
  }

  /** {@return the settings as groups with the same figures for all traces, the best group first} */
  public List<EqualResults<CommonSettings>> outcomes() {
    return EqualResults.of(
        settings,
        common ->
            common.results().stream()
                .map(trial -> List.of(trial.result(), trial.withoutCache()))
                .toList());
  }

  /** {@return true if a search was cut, so that better settings may exist} */
  public boolean isCut() {
    return reports.stream().anyMatch(TuningReport::isCut);
  }
}
