package dev.stowage.cli.report;

import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.tune.CommonSettings;
import java.util.List;

/** Settings for several traces. The first lines have the best settings for a program. */
public final class CommonAnswer {

  /** The number of rows for people. */
  private static final int MOST_ROWS = 5;

  private CommonAnswer() {}

  /**
   * {@return the answer}
   *
   * @param report the settings, at least one
   * @param conclusion the first sentences for people; if requests fail with all settings, they are
   *     all that people read
   */
  public static Answer of(CommonReport report, Conclusion conclusion) {
    List<CommonSettings> settings = report.settings();
    Answer answer = new Answer().conclusion("", conclusion);
    CommonSettings best = settings.getFirst();
    if (best.failures() == 0) {
      TuningAnswer.addLines(
          best.candidate(), report.reports().getFirst().conditions().allocator(), answer);
    }
    answer
        .field(
            "inputs",
            Figure.texts(report.reports().stream().map(trace -> trace.input().input()).toList()))
        .field("cut", report.isCut())
        .table(all(settings));
    if (best.failures() == 0) {
      answer
          .table(best(settings.stream().limit(MOST_ROWS).toList()))
          .facts(traces(report.reports(), best));
    }
    TuningAnswer.addFields(best.candidate(), answer);
    return answer;
  }

  private static Table<CommonSettings> all(List<CommonSettings> settings) {
    return Table.named("settings", settings)
        .text("settings", Table.HIDDEN, common -> common.candidate().settings())
        .data("max_regret", common -> new Figure.Share(common.maxRegret()))
        .count("failures", Table.HIDDEN, CommonSettings::failures)
        .data(
            "peak_reserved_bytes",
            common ->
                Figure.longs(
                    common.results().stream().map(trial -> trial.result().peakReservedBytes())))
        .data("lost_bytes", common -> Figure.longs(common.lostBytes().stream()));
  }

  private static Table<CommonSettings> best(List<CommonSettings> settings) {
    return Table.shown(settings)
        .text("", "SETTINGS", common -> common.candidate().name())
        .text("", "maximum regret", common -> Numbers.excess(common.maxRegret()))
        .count("", "failures", CommonSettings::failures)
        .keepingLabels();
  }

  private static Facts traces(List<TuningReport> reports, CommonSettings best) {
    Facts traces = new Facts("WITH THE FIRST", "reserved", "", "over its best", "");
    for (int i = 0; i < reports.size(); i++) {
      traces.bytes(
          "",
          reports.get(i).input().input(),
          best.results().get(i).result().peakReservedBytes(),
          Figure.bytes(best.lostBytes().get(i)),
          new Figure.Share(best.lostShares().get(i)));
    }
    return traces;
  }
}
