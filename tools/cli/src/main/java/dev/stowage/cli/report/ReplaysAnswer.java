package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** Replayed traces as one table for people, with a row for each trace and setting. */
public final class ReplaysAnswer {

  /** A row, without the parts of the report that need much memory. */
  private record Row(
      String input,
      AllocatorSummary allocator,
      List<Figure> figures,
      Optional<ReplayResult.Failure> failure) {

    String settings() {
      return allocator.settings().isEmpty() ? "defaults" : allocator.settings();
    }

    Figure confidence() {
      String name = allocator.confidence().level().name().toLowerCase(Locale.ROOT);
      return allocator.name().equals("pytorch") ? Figure.text(name) : Figure.none();
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private boolean hasRecorded;

  public void add(ReplayReport report) {
    ReplayResult result = report.result();
    long requested = result.peakRequestedBytes();
    long reserved = result.peakReservedBytes();
    Optional<RecordedState> recorded = report.summary().recorded();
    hasRecorded |= recorded.isPresent();
    rows.add(
        new Row(
            report.input(),
            report.allocator(),
            List.of(
                Figure.count(report.allocations()),
                Figure.count(result.failures()),
                Figure.inUnit(requested),
                Figure.inUnit(result.peakInUseBytes()),
                Figure.inUnit(reserved),
                requested == 0
                    ? Figure.none()
                    : Figure.text(Numbers.excess((double) (reserved - requested) / requested)),
                recorded
                    .map(state -> Figure.inUnit(state.reservedBytes()))
                    .orElseGet(Figure::none)),
            result.firstFailure()));
  }

  /**
   * {@return the answer}
   *
   * @param isComplete false if the user interrupted the command before it had all replays
   */
  public Answer answer(boolean isComplete) {
    Answer answer = new Answer();
    if (!rows.isEmpty()) {
      addRows(answer);
    }
    if (!isComplete) {
      answer.line("%sInterrupted: the table lacks traces.", rows.isEmpty() ? "" : "\n");
    }
    return answer;
  }

  private void addRows(Answer answer) {
    boolean hasOneSetting = hasOne(AllocatorSummary::text);
    AllocatorSummary first = rows.getFirst().allocator();
    answer
        .line("Replayed with %s.", hasOneSetting ? first.text() : allocators(first.title()))
        .facts(table(hasOneSetting))
        .line("%nover: peak of reserved over peak of requested bytes");
    if (hasRecorded) {
      answer.line("recorded: reserved by PyTorch at the end of the recording");
    }
    rows.forEach(row -> addFailure(row, hasOneSetting, answer));
  }

  private boolean hasOne(Function<AllocatorSummary, String> property) {
    return rows.stream().map(Row::allocator).map(property).distinct().count() == 1;
  }

  private String allocators(String first) {
    return hasOne(AllocatorSummary::title)
        ? first + " with the settings below"
        : "the allocators below";
  }

  private Facts table(boolean hasOneSetting) {
    List<String> titles =
        new ArrayList<>(
            List.of("TRACE", "requests", "failed", "requested", "in use", "reserved", "over"));
    if (hasRecorded) {
      titles.add("recorded");
    }
    boolean hasPytorch = rows.stream().anyMatch(row -> row.allocator().name().equals("pytorch"));
    if (hasPytorch) {
      titles.add("confidence");
    }
    Facts table = new Facts(titles.toArray(String[]::new));
    boolean hasOneTitle = hasOne(AllocatorSummary::title);
    String input = "";
    for (Row row : rows) {
      if (!hasOneSetting && !row.input().equals(input)) {
        table.row("", row.input());
      }
      input = row.input();
      List<Figure> figures = new ArrayList<>(row.figures().subList(0, hasRecorded ? 7 : 6));
      if (hasPytorch) {
        figures.add(row.confidence());
      }
      String settings = hasOneTitle ? row.settings() : row.allocator().text();
      table.row("", hasOneSetting ? input : "  " + settings, figures.toArray(Figure[]::new));
    }
    return table;
  }

  private static void addFailure(Row row, boolean hasOneSetting, Answer answer) {
    row.failure()
        .ifPresent(failure ->
            answer.line(
                "%s: first failure, event %s, '%s': %s",
                Printable.of(row.input()) + (hasOneSetting ? "" : ", " + row.settings()),
                Numbers.grouped(failure.event()),
                Printable.of(failure.id()),
                failure.reason()));
  }
}
