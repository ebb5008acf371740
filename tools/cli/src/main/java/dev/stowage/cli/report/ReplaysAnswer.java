package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
    boolean hasOneSetting =
        rows.stream().map(row -> row.allocator().settings()).distinct().count() == 1;
    AllocatorSummary first = rows.getFirst().allocator();
    answer
        .line(
            "Replayed with %s.",
            hasOneSetting ? first.text() : first.title() + " with the settings below")
        .facts(table(hasOneSetting))
        .line("%nover: peak of reserved over peak of requested bytes");
    if (hasRecorded) {
      answer.line("recorded: reserved by PyTorch at the end of the recording");
    }
    rows.forEach(row -> addFailure(row, hasOneSetting, answer));
  }

  private Facts table(boolean hasOneSetting) {
    List<String> titles =
        new ArrayList<>(
            List.of("TRACE", "requests", "failed", "requested", "in use", "reserved", "over"));
    if (hasRecorded) {
      titles.add("recorded");
    }
    Facts table = new Facts(titles.toArray(String[]::new));
    String input = "";
    for (Row row : rows) {
      if (!hasOneSetting && !row.input().equals(input)) {
        table.row("", row.input());
      }
      input = row.input();
      table.row(
          "",
          hasOneSetting ? input : "  " + row.settings(),
          row.figures().subList(0, titles.size() - 1).toArray(Figure[]::new));
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
