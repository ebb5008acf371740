package dev.stowage.cli.tune;

import dev.stowage.trace.tune.CommonSettings;
import java.util.List;

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

  /** {@return true if a search was cut, so that better settings may exist} */
  public boolean isCut() {
    return reports.stream().anyMatch(TuningReport::isCut);
  }
}
