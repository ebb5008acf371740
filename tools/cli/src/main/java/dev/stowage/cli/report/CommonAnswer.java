package dev.stowage.cli.report;

import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.EqualResults;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.tune.CommonSettings;
import java.util.List;
import java.util.Optional;

/** Settings for several traces. The first lines have the best settings for a program. */
public final class CommonAnswer {

  /** The note on traces with different allocators. */
  public static final String NONE =
      "the traces have different allocators, so that they share no settings; --allocator selects one"
          + " for all";

  /** The number of rows on the terminal. */
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
    answer.table(best(report));
    if (best.failures() == 0) {
      answer.facts(traces(report.reports(), best));
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

  /** {@return the settings, those with the same figures once; the best ones on the terminal} */
  private static Table<EqualResults<CommonSettings>> best(CommonReport report) {
    List<EqualResults<CommonSettings>> outcomes = report.outcomes();
    List<EqualResults<CommonSettings>> shown =
        outcomes.getFirst().simplest().failures() == 0
            ? outcomes.stream().limit(MOST_ROWS).toList()
            : List.of();
    Table<EqualResults<CommonSettings>> table =
        Table.shown(outcomes)
            .onTerminal(shown::contains)
            .shown(
                "SETTINGS",
                group ->
                    TuningTable.settings(
                        TuningReport.name(group.simplest().candidate()),
                        group,
                        CommonSettings::candidate))
            .shown(
                "maximum regret",
                group -> {
                  double regret = group.simplest().maxRegret();
                  return Figure.share(Numbers.excess(regret), regret);
                })
            .count("", "failures", group -> group.simplest().failures());
    for (int i = 0; i < report.reports().size(); i++) {
      int trace = i;
      table.onPage(
          "lost by " + report.reports().get(i).input().input(),
          group -> Figure.growth(group.simplest().lostBytes().get(trace)));
    }
    return table.keepingLabels();
  }

  /**
   * {@return the answer on a page of several traces}
   *
   * @param traces the answers on each trace
   * @param common the answer on all traces; empty if they share no settings
   */
  public static Answer page(List<Answer> traces, Optional<Answer> common) {
    if (traces.size() == 1) {
      return traces.getFirst();
    }
    Answer page = new Answer().titled("Settings for " + Numbers.count(traces.size(), "trace"));
    if (common.isPresent()) {
      page.all(common.get());
    } else {
      page.line("%s", "The traces share no settings.");
    }
    traces.forEach(page::all);
    return page;
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
