package dev.stowage.cli.report;

import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningReport.Row;
import dev.stowage.pages.FigureTable;
import dev.stowage.pages.ScatterChart;
import dev.stowage.pages.ScatterChart.Line;
import dev.stowage.pages.ScatterChart.Mark;
import dev.stowage.pages.ScatterChart.Point;
import dev.stowage.trace.tune.Trial;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The results of a search for settings, for people: the best ones on the terminal, all of them with
 * a chart of bytes and calls of the device on a page.
 */
final class TuningTable {

  /** The number of rows on the terminal, without the baseline. */
  private static final int MOST_ROWS = 10;

  private final TuningReport report;
  private final List<Row> rows;

  private TuningTable(TuningReport report) {
    this.report = report;
    rows = report.distinct();
  }

  /**
   * {@return the table}
   *
   * @param isShown false if only pages have it
   */
  static Table<?> of(TuningReport report, boolean isShown) {
    return new TuningTable(report).table(isShown);
  }

  private Table<Row> table(boolean isShown) {
    List<Row> best = rows.stream().limit(MOST_ROWS).toList();
    long requestedBytes = report.input().trace().peakRequestedBytes();
    Table<Row> table =
        Table.shown(rows)
            .onTerminal(row -> isShown && (best.contains(row) || report.isBaseline(row.trial())))
            .text("", "SETTINGS", this::name)
            .inUnit("", "reserved", figure(Outcome::peakReservedBytes))
            .shown(
                "over",
                row -> Figure.over(row.trial().result().peakReservedBytes(), requestedBytes));
    if (isRange()) {
      table.onPage("lowest peak", row -> Figure.inUnit(row.trial().result().lowBytes()));
    }
    table.count("", "device calls", figure(Outcome::deviceCalls));
    if (report.conditions().limitBytes().isPresent() || rows.stream().anyMatch(this::isFailed)) {
      table.count("", "failures", figure(Outcome::failures));
    }
    return table
        .onPage("note", row -> Figure.text(note(row)))
        .onPage("paste", row -> Figure.text(row.trial().candidate().paste()))
        .keepingLabels()
        .charted(this::chart);
  }

  private static ToLongFunction<Row> figure(ToLongFunction<Outcome> figure) {
    return row -> figure.applyAsLong(row.trial().result());
  }

  private boolean isFailed(Row row) {
    return row.trial().result().failures() > 0;
  }

  private boolean isRange() {
    return rows.stream()
        .map(row -> row.trial().result())
        .anyMatch(result -> result.lowBytes() < result.peakReservedBytes());
  }

  private String name(Row row) {
    String name = TuningReport.name(row.trial().candidate());
    return report.isRecorded(row.trial()) && !name.equals("as recorded")
        ? name + " (as recorded)"
        : name;
  }

  private ScatterChart chart(FigureTable<?> table) {
    return new ScatterChart(
        "peak reserved over calls that get memory from the device or return it, which cost time",
        "settings",
        isRange() ? "from the lowest to the highest peak of several plausible runs" : "",
        rows.stream().map(this::point).toList(),
        lines(),
        table);
  }

  private Point point(Row row) {
    Outcome result = row.trial().result();
    return new Point(
        result.deviceCalls(),
        result.peakReservedBytes(),
        result.lowBytes(),
        result.peakReservedBytes(),
        mark(row),
        note(row));
  }

  private Mark mark(Row row) {
    return isFailed(row)
        ? Mark.FAILED
        : isRecommended(row)
            ? Mark.RECOMMENDED
            : report.isBaseline(row.trial()) ? Mark.BASELINE : Mark.NONE;
  }

  private boolean isRecommended(Row row) {
    return row.trial().equals(report.recommended());
  }

  /** {@return the part of settings in the comparison; empty if they have none} */
  private String note(Row row) {
    Trial trial = row.trial();
    String baseline =
        !report.isBaseline(trial) ? "" : report.isRecorded(trial) ? "as recorded" : "the defaults";
    return !isRecommended(row)
        ? baseline
        : baseline.isEmpty() ? "recommended" : "recommended, " + baseline;
  }

  private List<Line> lines() {
    String recorded = "reserved by " + report.input().usualAllocator().program();
    return Stream.of(
            report.hindsight().stream()
                .map(plan -> new Line("plan with hindsight", "fragmentation", plan.bytes())),
            Stream.of(
                new Line(
                    "requested (lower bound)",
                    "bound",
                    report.input().trace().peakRequestedBytes())),
            line(recorded, "total", report.recordedReservedBytes()),
            line("limit", "capacity", report.conditions().limitBytes()))
        .flatMap(lines -> lines)
        .toList();
  }

  private static Stream<Line> line(String name, String colour, OptionalLong bytes) {
    return bytes.stream().mapToObj(level -> new Line(name, colour, level));
  }
}
