package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.FigureTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Several replays as one table with a row for each trace and setting, which is also the index of
 * their pages.
 */
public final class ReplaysAnswer {

  /**
   * A replay, without the parts of the report that need much memory.
   *
   * @param address the address of its page; empty if it has none
   */
  private record Replayed(
      String input,
      String address,
      AllocatorSummary allocator,
      long allocations,
      long events,
      ReplayResult result,
      Optional<RecordedState> recorded,
      OptionalLong failureEvent) {

    String settings() {
      return allocator.settings().isEmpty() ? "defaults" : allocator.settings();
    }

    /** {@return the trace and, if others have the same one, the settings} */
    String title(boolean hasOneSetting) {
      return Printable.of(input) + (hasOneSetting ? "" : ", " + settings());
    }

    long difference() {
      return result.peakReservedBytes() - result.peakRequestedBytes();
    }

    /** {@return the trace and the allocator in a sentence} */
    String name() {
      return Printable.of(input) + ", replayed with " + allocator.text();
    }
  }

  /** A row: a replay, or the reason why a trace has none, which only pages have. */
  private record Row(String input, Optional<Replayed> replayed, String note) {

    Figure trace() {
      return replayed
          .filter(one -> !one.address.isEmpty())
          .<Figure>map(one -> new Figure.OnPage(Figure.text(input), Cell.link(input, one.address)))
          .orElseGet(() -> Figure.text(input));
    }

    Figure figure(Function<Replayed, Figure> figure) {
      return Figure.of(replayed, figure);
    }

    Figure bytes(ToLongFunction<ReplayResult> bytes) {
      return figure(one -> Figure.inUnit(bytes.applyAsLong(one.result)));
    }

    Figure over() {
      return figure(one -> {
        double over = (double) one.difference() / one.result.peakRequestedBytes();
        return one.result.peakRequestedBytes() == 0
            ? Figure.none()
            : Figure.share(Numbers.excess(over), over);
      });
    }
  }

  private final List<String> tuneOptions;
  private final List<Row> rows = new ArrayList<>();
  private final List<Replayed> replays = new ArrayList<>();

  /** The programs whose recordings have the reserved bytes. */
  private final Set<String> programs = new TreeSet<>();

  /**
   * Creates an answer without replays.
   *
   * @param tuneOptions the options that {@code stowage tune} has, too, as words of a command line
   */
  public ReplaysAnswer(List<String> tuneOptions) {
    this.tuneOptions = List.copyOf(tuneOptions);
  }

  /**
   * Adds a replay.
   *
   * @param address the address of its page; empty if it has none
   */
  public void add(ReplayReport report, String address) {
    if (report.summary().recorded().isPresent()) {
      programs.add(report.programName());
    }
    Replayed added =
        new Replayed(
            report.input(),
            address,
            report.allocator(),
            report.allocations(),
            report.events(),
            report.result(),
            report.summary().recorded(),
            report.firstFailureEvent());
    replays.add(added);
    rows.add(new Row(report.input(), Optional.of(added), ""));
  }

  /** Adds the reason why a trace has no replay, which may have its name in front of it. */
  public void addFailure(String trace, String reason) {
    String prefix = trace + ": ";
    rows.add(
        new Row(
            trace,
            Optional.empty(),
            reason.startsWith(prefix) ? reason.substring(prefix.length()) : reason));
  }

  /**
   * {@return the answer}
   *
   * @param isComplete false if the user interrupted the command before it had all replays
   */
  public Answer answer(boolean isComplete) {
    Answer answer = new Answer().titled("Replays");
    if (!replays.isEmpty()) {
      answer.conclusion("", conclusion());
      addRows(answer);
    }
    if (!isComplete) {
      answer.line("%sInterrupted: the table lacks traces.", replays.isEmpty() ? "" : "\n");
    }
    return answer;
  }

  private Conclusion conclusion() {
    Replayed most =
        replays.stream().reduce((a, b) -> b.difference() > a.difference() ? b : a).orElseThrow();
    List<Replayed> failed = replays.stream().filter(one -> one.result.failures() > 0).toList();
    String largest =
        Text.of(
            "%s, has the largest difference: it reserves %s at the peak for %s that the program"
                + " requests.",
            most.name(),
            ByteUnit.human(most.result.peakReservedBytes()),
            ByteUnit.human(most.result.peakRequestedBytes()));
    Optional<Conclusion> settings = failed.isEmpty() ? settings() : Optional.empty();
    if (settings.isPresent()) {
      return settings.get();
    }
    if (failed.isEmpty()) {
      return new Conclusion(
          ByteUnit.human(most.difference()),
          largest,
          "No request fails in " + Numbers.count(replays.size(), "replay") + ".",
          tune(most));
    }
    return new Conclusion(
        Numbers.count(
            failed.stream().mapToLong(one -> one.result.failures()).sum(), "failed request"),
        Text.of(
            "Requests fail in %s of %s, first in %s.",
            Numbers.grouped(failed.size()),
            Numbers.count(replays.size(), "replay"),
            failed.getFirst().name()),
        largest,
        tune(failed.getFirst()));
  }

  /**
   * {@return the conclusion on several settings for one trace: what the second one saves, or of
   * more than two the best one; empty for several traces and several allocators}
   */
  private Optional<Conclusion> settings() {
    Replayed first = replays.getFirst();
    if (replays.size() < 2
        || !hasOne(AllocatorSummary::title)
        || replays.stream().map(Replayed::settings).distinct().count() < replays.size()
        || replays.stream().anyMatch(one -> !one.input.equals(first.input))) {
      return Optional.empty();
    }
    Replayed other =
        replays.stream()
            .skip(1)
            .min(Comparator.comparingLong(one -> one.result.peakReservedBytes()))
            .orElseThrow();
    long before = first.result.peakReservedBytes();
    long saved = before - other.result.peakReservedBytes();
    return Optional.of(
        new Conclusion(
            ByteUnit.human(other.result.peakReservedBytes()),
            Text.of(
                "With %s, %s reserves %s at the peak of %s%s.",
                other.settings(),
                other.allocator.title(),
                ByteUnit.sentence(other.result.peakReservedBytes()),
                Printable.of(first.input),
                saved == 0
                    ? ", as much as with " + first.settings()
                    : Text.of(
                        ": %s %s than with %s%s",
                        ByteUnit.human(Math.abs(saved)),
                        saved > 0 ? "less" : "more",
                        first.settings(),
                        DifferenceText.percent(-saved, before))),
            "No request fails in " + Numbers.count(replays.size(), "replay") + ".",
            tune(first)));
  }

  private Optional<String> tune(Replayed replayed) {
    return Optional.of(ShellLine.of("tune", replayed.input, tuneOptions));
  }

  private void addRows(Answer answer) {
    boolean hasOneSetting = hasOne(AllocatorSummary::text);
    if (!hasOneSetting) {
      String title = replays.getFirst().allocator.title();
      answer.line(
          "Replayed with %s.",
          hasOne(AllocatorSummary::title)
              ? title + " with the settings below"
              : "the allocators below");
    }
    answer
        .table(table(hasOneSetting))
        .line("")
        .legend("over", "peak of reserved over peak of requested bytes");
    if (!programs.isEmpty()) {
      answer.legend(
          "recorded",
          "reserved by " + String.join(" or ", programs) + " at the end of the recording");
    }
    addConfidence(hasOneSetting, answer);
    for (Replayed replayed : replays) {
      replayed
          .result
          .firstFailure()
          .ifPresent(failure ->
              answer.line(
                  "%s: first failure, %s, '%s': %s",
                  replayed.title(hasOneSetting),
                  EventText.text(replayed.failureEvent.orElse(0)),
                  Printable.of(failure.id()),
                  failure.reason()));
    }
  }

  private boolean hasOne(Function<AllocatorSummary, String> property) {
    return replays.stream().map(Replayed::allocator).map(property).distinct().count() == 1;
  }

  private Table<Row> table(boolean hasOneSetting) {
    Table<Row> table = Table.shown(rows).onTerminal(row -> row.replayed.isPresent());
    if (hasOneSetting) {
      table.shown("TRACE", Row::trace);
    } else {
      boolean hasOneTitle = hasOne(AllocatorSummary::title);
      table
          .groupedBy("TRACE", Row::trace)
          .shown(
              "settings",
              row ->
                  row.figure(one ->
                      Figure.text(
                          (hasOneTitle ? "" : one.allocator.name() + ", ") + one.settings())));
    }
    table
        .onPage("events", row -> row.figure(one -> Figure.count(one.events)))
        .shown("requests", row -> row.figure(one -> Figure.count(one.allocations)))
        .shown("failed", row -> row.figure(one -> Figure.count(one.result.failures())))
        .shown("requested", row -> row.bytes(ReplayResult::peakRequestedBytes))
        .shown("in use", row -> row.bytes(ReplayResult::peakInUseBytes))
        .shown("reserved", row -> row.bytes(ReplayResult::peakReservedBytes))
        .shown("over", Row::over);
    if (!programs.isEmpty()) {
      table.shown(
          "recorded",
          row ->
              row.figure(
                  one -> Figure.of(one.recorded, state -> Figure.inUnit(state.reservedBytes()))));
    }
    table.onPage(
        "external fragmentation",
        row -> row.figure(one -> new Figure.Share(one.result.externalFragmentation())));
    if (rows.size() > replays.size()) {
      table.onPage("note", row -> Figure.text(row.note));
    }
    return table;
  }

  private void addConfidence(boolean hasOneSetting, Answer answer) {
    Map<Confidence.Level, Integer> counts = new EnumMap<>(Confidence.Level.class);
    replays.stream()
        .map(Replayed::allocator)
        .filter(AllocatorSummary::decidesAddresses)
        .forEach(allocator -> counts.merge(allocator.confidence().level(), 1, Integer::sum));
    if (!counts.isEmpty()) {
      answer.line(
          "confidence: %s",
          counts.entrySet().stream()
              .map(count -> count.getValue() + " " + ReplayAnswer.name(count.getKey()))
              .collect(Collectors.joining(", ")));
    }
    for (Replayed replayed : replays) {
      Confidence confidence = replayed.allocator.confidence();
      if (confidence.isRange() || confidence.hasRangeOfFailures()) {
        answer.line("%s: %s", replayed.title(hasOneSetting), ReplayAnswer.text(confidence));
      }
    }
  }
}
