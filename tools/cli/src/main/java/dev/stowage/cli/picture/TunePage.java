package dev.stowage.cli.picture;

import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.EqualResults;
import dev.stowage.cli.tune.Hindsight;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.CommonSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The page of searches for settings. */
public final class TunePage {

  private TunePage() {}

  /**
   * {@return the page}
   *
   * @param common the settings for all traces; empty if they share none
   */
  public static FiguresPage of(
      List<TuningReport> reports, Optional<CommonReport> common, RunFacts run) {
    String traces =
        reports.size() == 1
            ? Printable.of(reports.getFirst().input().input())
            : Numbers.count(reports.size(), "trace");
    FiguresPage page = new FiguresPage("Settings for " + traces, "settings", "Tuned", run);
    common.ifPresent(report -> addCommon(report, page));
    for (TuningReport report : reports) {
      if (reports.size() > 1) {
        page.addHeading(Printable.of(report.input().input()));
        addLines(report.recommended().candidate(), report.conditions().allocator(), page);
      } else if (run.conclusion().flatMap(Conclusion::command).isPresent()) {
        // The conclusion has the line for all versions.
        addNewName(report.recommended().candidate(), report.conditions().allocator(), page);
      }
      addTrace(report, page);
    }
    return page;
  }

  private static void addCommon(CommonReport report, FiguresPage page) {
    page.addHeading("All traces");
    page.addText(
        "The regret of a trace is the share by which its peak exceeds its peak with its own best"
            + " settings. The settings with the smallest maximum regret are first.");
    addLines(
        report.settings().getFirst().candidate(),
        report.reports().getFirst().conditions().allocator(),
        page);
    FigureTable<EqualResults<CommonSettings>> table =
        new FigureTable<EqualResults<CommonSettings>>("Settings for all traces")
            .left(
                SettingsColumn.title(report.reports().getFirst().conditions().allocator()),
                group -> SettingsColumn.cell(group, CommonSettings::candidate))
            .number(
                "Maximum regret",
                group -> {
                  double regret = group.simplest().maxRegret();
                  return Cell.share(Numbers.percent(regret), regret);
                })
            .count("Failed requests", group -> group.simplest().failures());
    for (int i = 0; i < report.reports().size(); i++) {
      int trace = i;
      table.number(
          "Lost by " + Printable.of(report.reports().get(i).input().input()),
          group -> Cell.growth(group.simplest().lostBytes().get(trace)));
    }
    page.addTable(table.addAll(report.outcomes()));
  }

  /** Adds the lines that give a program the settings. */
  private static void addLines(Candidate candidate, AllocatorKind allocator, FiguresPage page) {
    page.addLine(candidate.paste());
    addNewName(candidate, allocator, page);
  }

  private static void addNewName(Candidate candidate, AllocatorKind allocator, FiguresPage page) {
    candidate
        .otherPaste()
        .ifPresent(line -> {
          page.addText("The same, for " + allocator.versionOfNewNames() + " and newer:");
          page.addLine(line);
        });
  }

  private static void addTrace(TuningReport report, FiguresPage page) {
    if (report.isCut()) {
      page.addText("The search was cut; better settings may exist.");
    }
    page.addFigures(figures(report));
    page.addText(
        Text.of(
            "Compared %s, of which %s differ on this trace%s.",
            Numbers.count(report.tuning().candidateCount(), "setting"),
            Numbers.grouped(report.tuning().replayCount()),
            report.tuning().stoppedCount() == 0
                ? ""
                : "; "
                    + Numbers.grouped(report.tuning().stoppedCount())
                    + " of them need more than those below, and were not replayed to the end"));
    TuneChart.add(report, page);
  }

  private static List<Figure> figures(TuningReport report) {
    List<Figure> figures = new ArrayList<>();
    figures.add(
        new Figure(
            "Peak reserved with the best settings",
            ByteUnit.exact(report.best().result().peakReservedBytes())));
    figures.add(
        new Figure("Peak requested", ByteUnit.exact(report.input().trace().peakRequestedBytes())));
    OptionalLong recorded = report.recordedReservedBytes();
    if (recorded.isPresent()) {
      figures.add(new Figure("Recorded", ByteUnit.exact(recorded.getAsLong())));
    }
    Optional<Hindsight> hindsight = report.hindsight();
    if (hindsight.isPresent()) {
      String bytes = ByteUnit.exact(hindsight.get().bytes());
      figures.add(
          new Figure(
              "Best plan with hindsight",
              Text.of("%s; at least %s", bytes, ByteUnit.exact(hindsight.get().boundBytes()))));
    }
    return figures;
  }
}
