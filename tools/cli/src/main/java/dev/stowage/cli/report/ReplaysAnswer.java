package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.replay.ReplaysConclusion;
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
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Replayed traces as one table for people, with a row for each trace and setting. */
public final class ReplaysAnswer {

  /** A row, without the parts of the report that need much memory. */
  private record Row(
      String input,
      AllocatorSummary allocator,
      List<Figure> figures,
      Optional<ReplayResult.Failure> failure,
      OptionalLong failureEvent) {

    String settings() {
      return allocator.settings().isEmpty() ? "defaults" : allocator.settings();
    }

    /** {@return the trace and, if others have the same one, the settings} */
    String title(boolean hasOneSetting) {
      return Printable.of(input) + (hasOneSetting ? "" : ", " + settings());
    }
  }

  private final List<Row> rows = new ArrayList<>();
  private final ReplaysConclusion conclusion = new ReplaysConclusion();

  /** The programs whose recordings have the reserved bytes. */
  private final Set<String> programs = new TreeSet<>();

  public void add(ReplayReport report) {
    conclusion.add(report);
    ReplayResult result = report.result();
    long requested = result.peakRequestedBytes();
    long reserved = result.peakReservedBytes();
    Optional<RecordedState> recorded = report.summary().recorded();
    if (recorded.isPresent()) {
      programs.add(report.programName());
    }
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
            result.firstFailure(),
            report.firstFailureEvent()));
  }

  /**
   * {@return the answer}
   *
   * @param isComplete false if the user interrupted the command before it had all replays
   */
  public Answer answer(boolean isComplete) {
    Answer answer = new Answer();
    conclusion.conclusion().ifPresent(found -> answer.conclusion("", found));
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
    if (!hasOneSetting) {
      answer.line("Replayed with %s.", allocators(rows.getFirst().allocator().title()));
    }
    answer
        .facts(table(hasOneSetting))
        .line("%nover: peak of reserved over peak of requested bytes");
    if (!programs.isEmpty()) {
      answer.line(
          "recorded: reserved by %s at the end of the recording", String.join(" or ", programs));
    }
    addConfidence(hasOneSetting, answer);
    rows.forEach(row -> addFailure(row, hasOneSetting, answer));
  }

  private void addConfidence(boolean hasOneSetting, Answer answer) {
    Map<Confidence.Level, Integer> counts = new EnumMap<>(Confidence.Level.class);
    for (Row row : rows) {
      if (row.allocator().decidesAddresses()) {
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
      Confidence confidence = row.allocator().confidence();
      if (confidence.isRange() || confidence.hasRangeOfFailures()) {
        String text = ReplayAnswer.text(confidence);
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
    if (!programs.isEmpty()) {
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
                "%s: first failure, %s, '%s': %s",
                row.title(hasOneSetting),
                ReplayAnswer.event(row.failureEvent().orElse(0)),
                Printable.of(failure.id()),
                failure.reason()));
  }
}
