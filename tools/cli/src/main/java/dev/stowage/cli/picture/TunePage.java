package dev.stowage.cli.picture;

import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.tune.CommonReport;
import dev.stowage.cli.tune.Hindsight;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.FiguresPage.Curve;
import dev.stowage.pages.FiguresPage.Figure;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.RunFacts;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.CommonSettings;
import dev.stowage.trace.tune.Trial;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
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
    FiguresPage page =
        new FiguresPage(
            "Settings for " + Numbers.count(reports.size(), "trace"), "settings", "Tuned", run);
    common.ifPresent(report -> addCommon(report, page));
    reports.forEach(report -> addTrace(report, page));
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
    FigureTable<CommonSettings> table =
        new FigureTable<CommonSettings>("Settings for all traces")
            .text("Settings", settings -> name(settings.candidate()))
            .number(
                "Maximum regret",
                settings -> Cell.share(Numbers.percent(settings.maxRegret()), settings.maxRegret()))
            .count("Failed requests", CommonSettings::failures);
    for (int i = 0; i < report.reports().size(); i++) {
      int trace = i;
      table.number(
          "Lost by " + Printable.of(report.reports().get(i).input().input()),
          settings -> Cell.growth(settings.lostBytes().get(trace)));
    }
    page.addTable(table.addAll(report.settings()));
  }

  /** Adds the lines that give a program the settings. */
  private static void addLines(Candidate candidate, AllocatorKind allocator, FiguresPage page) {
    candidate
        .otherPaste()
        .ifPresent(line -> {
          page.addText(
              "For " + allocator.versionOfNewNames() + " and newer, and for all versions:");
          page.addLine(line);
        });
    page.addLine(candidate.paste());
  }

  private static String name(Candidate candidate) {
    return candidate.isDefault()
        ? "(defaults)"
        : candidate.settings().isEmpty() ? "(as recorded)" : candidate.settings();
  }

  private static void addTrace(TuningReport report, FiguresPage page) {
    page.addHeading(Printable.of(report.input().input()));
    if (report.isCut()) {
      page.addText("The search was cut; better settings may exist.");
    }
    page.addFigures(figures(report));
    addLines(report.recommended().candidate(), report.conditions().allocator(), page);
    page.addChart(
        "settings, the best first",
        report.results().stream().map(row -> name(row.trial().candidate())).toList(),
        curves(report));
    page.addTable(table(report));
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
              String.format(
                  Locale.ROOT,
                  "%s; at least %s",
                  bytes,
                  ByteUnit.exact(hindsight.get().boundBytes()))));
    }
    return figures;
  }

  private static List<Curve> curves(TuningReport report) {
    List<Curve> curves = new ArrayList<>();
    curves.add(
        new Curve(
            "peak reserved",
            "load",
            report.results().stream()
                .map(row -> row.trial().result().peakReservedBytes())
                .toList()));
    OptionalLong recorded = report.recordedReservedBytes();
    if (recorded.isPresent()) {
      curves.add(level("recorded", "total", recorded.getAsLong(), report));
    }
    report
        .hindsight()
        .ifPresent(plan -> curves.add(level("hindsight", "bound", plan.bytes(), report)));
    report
        .conditions()
        .limitBytes()
        .ifPresent(bytes -> curves.add(level("device memory", "capacity", bytes, report)));
    return curves;
  }

  private static Curve level(String name, String colour, long bytes, TuningReport report) {
    return new Curve(name, colour, Collections.nCopies(report.results().size(), bytes));
  }

  private static FigureTable<TuningReport.Row> table(TuningReport report) {
    FigureTable<TuningReport.Row> table =
        new FigureTable<TuningReport.Row>("Settings")
            .text("Settings", row -> name(row.trial().candidate()))
            .bytes("Peak reserved", row -> row.trial().result().peakReservedBytes())
            .count("Failed requests", row -> row.trial().result().failures())
            .count("Device calls", row -> row.trial().result().deviceCalls());
    if (report.comparesWithoutCache()) {
      table.number(
          "Peak without the recorded cache",
          row ->
              row.trial()
                  .withoutCache()
                  .map(cold -> Cell.bytes(cold.peakReservedBytes()))
                  .orElse(Cell.none()));
    }
    return table
        .text("Paste", row -> row.trial().candidate().paste())
        .text("Note", row -> note(row.trial(), report))
        .addAll(report.results());
  }

  private static String note(Trial trial, TuningReport report) {
    if (report.isRecorded(trial)) {
      return "as recorded";
    }
    return report.isBaseline(trial) && trial.candidate().isDefault() ? "the defaults" : "";
  }
}
