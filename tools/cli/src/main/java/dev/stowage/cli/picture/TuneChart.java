package dev.stowage.cli.picture;

import dev.stowage.cli.tune.EqualResults;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningReport.Row;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.FiguresPage;
import dev.stowage.pages.ScatterChart;
import dev.stowage.pages.ScatterChart.Line;
import dev.stowage.pages.ScatterChart.Mark;
import dev.stowage.pages.ScatterChart.Point;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.tune.Trial;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** The outcomes of a search for settings, as a chart and a table: bytes and calls of the device. */
final class TuneChart {

  private final TuningReport report;
  private final List<EqualResults<Row>> outcomes;

  private TuneChart(TuningReport report) {
    this.report = report;
    outcomes = report.outcomes();
  }

  /** Adds the chart and the table to a page. */
  static void add(TuningReport report, FiguresPage page) {
    TuneChart content = new TuneChart(report);
    page.addWithTable(content.chart());
  }

  private ScatterChart chart() {
    boolean isCold = report.comparesWithoutCache();
    return new ScatterChart(
        (isCold ? "peak reserved without the recorded cache" : "peak reserved")
            + " over calls that get memory from the device or return it, which cost time",
        "settings with the same figures",
        isCold
            ? "up to the peak with the recorded cache"
            : hasAny(outcome -> outcome.peakReservedBytes() - outcome.lowBytes())
                ? "from the lowest to the highest peak of several plausible runs"
                : "",
        outcomes.stream().map(this::point).toList(),
        lines(),
        table());
  }

  private Point point(EqualResults<Row> group) {
    Trial trial = group.simplest().trial();
    Outcome warm = trial.result();
    Outcome shown = trial.cold();
    return new Point(
        shown.deviceCalls(),
        shown.peakReservedBytes(),
        Math.min(shown.lowBytes(), warm.lowBytes()),
        Math.max(shown.peakReservedBytes(), warm.peakReservedBytes()),
        mark(group),
        note(group));
  }

  private Mark mark(EqualResults<Row> group) {
    return group.simplest().trial().result().failures() > 0
        ? Mark.FAILED
        : isRecommended(group)
            ? Mark.RECOMMENDED
            : report.hasBaseline(group) ? Mark.BASELINE : Mark.NONE;
  }

  private boolean isRecommended(EqualResults<Row> group) {
    return group.simplest().trial().equals(report.recommended());
  }

  /** {@return the part of a group in the comparison; empty if it has none} */
  private String note(EqualResults<Row> group) {
    List<String> notes = new ArrayList<>();
    if (isRecommended(group)) {
      notes.add("recommended");
    }
    if (report.hasBaseline(group)) {
      notes.add(report.hasRecorded(group) ? "as recorded" : "the defaults");
    }
    long failures = group.simplest().trial().result().failures();
    if (!notes.isEmpty() && failures > 0) {
      notes.add(Numbers.count(failures, "failed request"));
    }
    return String.join(", ", notes);
  }

  private List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    report
        .hindsight()
        .ifPresent(
            plan -> lines.add(new Line("plan with hindsight", "fragmentation", plan.bytes())));
    lines.add(
        new Line("requested (lower bound)", "bound", report.input().trace().peakRequestedBytes()));
    report
        .recordedReservedBytes()
        .ifPresent(bytes ->
            lines.add(
                new Line(
                    "reserved by " + report.input().usualAllocator().program(), "total", bytes)));
    report
        .conditions()
        .limitBytes()
        .ifPresent(bytes -> lines.add(new Line("limit", "capacity", bytes)));
    return lines;
  }

  private FigureTable<EqualResults<Row>> table() {
    FigureTable<EqualResults<Row>> table =
        new FigureTable<EqualResults<Row>>("Settings")
            .left(
                SettingsColumn.title(report.conditions().allocator()),
                group -> SettingsColumn.cell(group, row -> row.trial().candidate()))
            .bytes("Peak reserved", result(Outcome::peakReservedBytes));
    if (hasAny(outcome -> outcome.peakReservedBytes() - outcome.lowBytes())) {
      table.bytes("Lowest peak", result(Outcome::lowBytes));
    }
    table.count("Device calls", result(Outcome::deviceCalls));
    if (report.comparesWithoutCache()) {
      table
          .number(
              "Peak without the recorded cache",
              group -> Cell.bytes(group.simplest().trial().cold().peakReservedBytes()))
          .count("Device calls without it", group -> group.simplest().trial().cold().deviceCalls());
    }
    if (hasAny(Outcome::failures)) {
      table.count("Failed requests", result(Outcome::failures));
    }
    if (hasAny(Outcome::retries)) {
      table.count("Releases of the cache", result(Outcome::retries));
    }
    return table
        .text("Note", this::note)
        .text("Paste", group -> group.simplest().trial().candidate().paste())
        .addAll(outcomes);
  }

  private boolean hasAny(ToLongFunction<Outcome> figure) {
    return outcomes.stream()
        .anyMatch(group -> figure.applyAsLong(group.simplest().trial().result()) > 0);
  }

  private static ToLongFunction<EqualResults<Row>> result(ToLongFunction<Outcome> figure) {
    return group -> figure.applyAsLong(group.simplest().trial().result());
  }
}
