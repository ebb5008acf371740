package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

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

    boolean isOfPytorch() {
      return allocator.name().equals("pytorch");
    }

    /** {@return the trace and, if others have the same one, the settings} */
    String title(boolean hasOneSetting) {
      return Printable.of(input) + (hasOneSetting ? "" : ", " + settings());
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
    addConfidence(hasOneSetting, answer);
    rows.forEach(row -> addFailure(row, hasOneSetting, answer));
  }

  private void addConfidence(boolean hasOneSetting, Answer answer) {
    Map<Confidence.Level, Integer> counts = new EnumMap<>(Confidence.Level.class);
    for (Row row : rows) {
      if (row.isOfPytorch()) {
        counts.merge(row.allocator().confidence().level(), 1, Integer::sum);
      }
    }
    if (!counts.isEmpty()) {
      answer.line(
          "confidence: %s",
          counts.entrySet().stream()
              .map(count -> count.getValue() + " " + ReplayAnswer.name(count.getKey()))
              .collect(Collectors.joining(", ")));
    }
    for (Row row : rows) {
      if (row.allocator().confidence().isRange()) {
        String text = ReplayAnswer.text(row.allocator().confidence());
        answer.line("%s: %s", row.title(hasOneSetting), text);
      }
    }
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
    Facts table = new Facts(titles.toArray(String[]::new));
    boolean hasOneTitle = hasOne(AllocatorSummary::title);
    String input = "";
    for (Row row : rows) {
      if (!hasOneSetting && !row.input().equals(input)) {
        table.row("", row.input());
      }
      input = row.input();
      String settings = (hasOneTitle ? "" : row.allocator().name() + ", ") + row.settings();
      table.row(
          "",
          hasOneSetting ? input : "  " + settings,
          row.figures().subList(0, titles.size() - 1).toArray(Figure[]::new));
    }
    return table;
  }

  private static void addFailure(Row row, boolean hasOneSetting, Answer answer) {
    row.failure()
        .ifPresent(failure ->
            answer.line(
                "%s: first failure, event %s, '%s': %s",
                row.title(hasOneSetting),
                Numbers.grouped(failure.event()),
                Printable.of(failure.id()),
                failure.reason()));
  }
}
