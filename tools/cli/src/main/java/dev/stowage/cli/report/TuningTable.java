package dev.stowage.cli.report;

import dev.stowage.cli.tune.EqualResults;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningReport.Row;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The outcomes of a search for settings, for people: the best ones on the terminal, all of them
 * with a chart of bytes and calls of the device on a page.
 */
final class TuningTable {

  /** The number of rows on the terminal, without that of the baseline. */
  private static final int MOST_ROWS = 10;

  private final TuningReport report;
  private final List<EqualResults<Row>> outcomes;

  private TuningTable(TuningReport report) {
    this.report = report;
    outcomes = report.outcomes();
  }

  /**
   * {@return the table}
   *
   * @param isShown false if only pages have it
   */
  static Table<?> of(TuningReport report, boolean isShown) {
    TuningTable made = new TuningTable(report);
    return made.table(isShown);
  }

  /** {@return the simplest settings of a group, on a page with a list of the others} */
  static <T> Figure settings(String name, EqualResults<T> group, Function<T, Candidate> candidate) {
    List<String> others =
        group.others().stream().map(result -> TuningReport.name(candidate.apply(result))).toList();
    return others.isEmpty()
        ? Figure.text(name)
        : new Figure.OnPage(
            Figure.text(name),
            Cell.text(name)
                .withMore(
                    "and " + Numbers.count(others.size(), "setting") + " with the same figures",
                    others));
  }

  private Table<EqualResults<Row>> table(boolean isShown) {
    List<EqualResults<Row>> best = outcomes.stream().limit(MOST_ROWS).toList();
    Table<EqualResults<Row>> table =
        Table.shown(outcomes)
            .onTerminal(group -> isShown && (best.contains(group) || report.hasBaseline(group)))
            .shown(
                "SETTINGS", group -> settings(name(group), group, row -> row.trial().candidate()))
            .shown("reserved", this::reserved)
            .shown(
                "over",
                group ->
                    Figure.over(
                        result(Outcome::peakReservedBytes, group),
                        report.input().trace().peakRequestedBytes()));
    if (isRange()) {
      table.onPage("lowest peak", group -> Figure.inUnit(result(Outcome::lowBytes, group)));
    }
    table.count("", "device calls", group -> result(Outcome::deviceCalls, group));
    if (report.conditions().limitBytes().isPresent() || hasAny(Outcome::failures)) {
      table.count("", "failures", group -> result(Outcome::failures, group));
    }
    if (report.comparesWithoutCache()) {
      table
          .shown(
              "without cache",
              group -> Figure.inUnit(group.simplest().trial().cold().peakReservedBytes()))
          .onPage(
              "device calls without it",
              group -> Figure.count(group.simplest().trial().cold().deviceCalls()));
    }
    if (hasAny(Outcome::retries)) {
      table.onPage("releases of the cache", group -> Figure.count(result(Outcome::retries, group)));
    }
    if (outcomes.size() < report.results().size()) {
      table.count("", "others", group -> group.others().size());
    }
    return table
        .onPage("note", group -> Figure.text(note(group)))
        .onPage("paste", group -> Figure.text(group.simplest().trial().candidate().paste()))
        .keepingLabels();
  }

  private String name(EqualResults<Row> group) {
    String name = TuningReport.name(group.simplest().trial().candidate());
    return report.hasRecorded(group) && !name.equals("as recorded")
        ? name + " (as recorded)"
        : name;
  }

  /** {@return the reserved bytes at the peak, on a page with a bar} */
  private Figure reserved(EqualResults<Row> group) {
    long bytes = result(Outcome::peakReservedBytes, group);
    long most =
        outcomes.stream()
            .mapToLong(each -> result(Outcome::peakReservedBytes, each))
            .max()
            .orElse(1);
    return new Figure.OnPage(
        Figure.text(ByteUnit.human(bytes)),
        Cell.bytes(bytes).withBars((double) bytes / Math.max(1, most)));
  }

  private boolean isRange() {
    return hasAny(outcome -> outcome.peakReservedBytes() - outcome.lowBytes());
  }

  private boolean hasAny(ToLongFunction<Outcome> figure) {
    return outcomes.stream().anyMatch(group -> result(figure, group) > 0);
  }

  private static long result(ToLongFunction<Outcome> figure, EqualResults<Row> group) {
    return figure.applyAsLong(group.simplest().trial().result());
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
    long failures = result(Outcome::failures, group);
    if (!notes.isEmpty() && failures > 0) {
      notes.add(Numbers.count(failures, "failed request"));
    }
    return String.join(", ", notes);
  }
}
