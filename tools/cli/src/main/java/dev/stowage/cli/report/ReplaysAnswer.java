package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.DifferenceText;
import dev.stowage.cli.text.ShellLine;
import dev.stowage.pages.PageTable.Cell;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * Several replays as one table with a row for each trace and setting. The table is also the index
 * of the pages.
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
      ReplayResult result,
      OptionalLong recordedBytes,
      OptionalLong failureEvent) {

    String settings() {
      return allocator.settings().isEmpty() ? "defaults" : allocator.settings();
    }

    long difference() {
      return result.peakReservedBytes() - result.peakRequestedBytes();
    }

    /** {@return the trace and the allocator in a sentence} */
    String name() {
      return Printable.of(input) + ", replayed with " + allocator.text();
    }

    Figure over() {
      double over = (double) difference() / result.peakRequestedBytes();
      return result.peakRequestedBytes() == 0 ? Figure.none() : Figure.share(Numbers.excess(over));
    }
  }

  private final List<String> tuneOptions;
  private final List<Replayed> replays = new ArrayList<>();

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
    Optional<RecordedState> recorded = report.summary().recorded();
    replays.add(
        new Replayed(
            report.input(),
            address,
            report.allocator(),
            report.allocations(),
            report.result(),
            recorded.isPresent()
                ? OptionalLong.of(recorded.get().reservedBytes())
                : OptionalLong.empty(),
            report.firstFailureEvent()));
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
    List<Replayed> failed = replays.stream().filter(one -> one.result.failures() > 0).toList();
    String replayCount = Numbers.count(replays.size(), "replay");
    if (failed.isEmpty()) {
      String confidence = "No request fails in " + replayCount + ".";
      return settings(confidence).orElseGet(() -> largestDifference(confidence));
    }
    return new Conclusion(
        Numbers.count(
            failed.stream().mapToLong(one -> one.result.failures()).sum(), "failed request"),
        Text.of(
            "Requests fail in %s of %s, first in %s.",
            Numbers.grouped(failed.size()), replayCount, failed.getFirst().name()),
        "The first failure of each follows the table.",
        tune(failed.getFirst()));
  }

  private Conclusion largestDifference(String confidence) {
    Replayed most =
        replays.stream().reduce((a, b) -> b.difference() > a.difference() ? b : a).orElseThrow();
    return new Conclusion(
        ByteUnit.human(most.difference()),
        Text.of(
            "%s, has the largest difference: it reserves %s at the peak for %s that the program"
                + " requests.",
            most.name(),
            ByteUnit.human(most.result.peakReservedBytes()),
            ByteUnit.human(most.result.peakRequestedBytes())),
        confidence,
        tune(most));
  }

  /**
   * {@return the conclusion on several settings for one trace; empty for several traces or
   * allocators}
   *
   * <p>For two settings, it states the saving of the second. For more settings, it states the best.
   */
  private Optional<Conclusion> settings(String confidence) {
    Replayed first = replays.getFirst();
    if (replays.size() < 2
        || !hasOne(one -> one.allocator.kind().title())
        || !hasOne(Replayed::input)
        || replays.stream().map(Replayed::settings).distinct().count() < replays.size()) {
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
                other.allocator.kind().title(),
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
            confidence,
            tune(first)));
  }

  private Optional<String> tune(Replayed replayed) {
    return Optional.of(ShellLine.of("tune", replayed.input, tuneOptions));
  }

  private void addRows(Answer answer) {
    answer.table(table()).line("%nover: peak of reserved over peak of requested bytes");
    for (Replayed replayed : replays) {
      replayed
          .result
          .firstFailure()
          .ifPresent(failure ->
              answer.line(
                  "%s: first failure, %s, '%s': %s",
                  Printable.of(replayed.input),
                  EventText.text(replayed.failureEvent.orElse(0)),
                  Printable.of(failure.id()),
                  failure.reason()));
    }
  }

  private boolean hasOne(Function<Replayed, String> property) {
    return replays.stream().map(property).distinct().count() == 1;
  }

  private boolean hasOneSetting() {
    return hasOne(one -> one.allocator.text());
  }

  /** {@return the parts of a replay that differ: the trace, and the allocator and its settings} */
  private String label(Replayed one, InputTitles titles) {
    List<String> parts = new ArrayList<>();
    if (hasOneSetting() || !hasOne(Replayed::input)) {
      parts.add(titles.of(one.input));
    }
    if (!hasOne(it -> it.allocator.kind().title())) {
      parts.add(one.allocator.kind().name());
    }
    if (!hasOneSetting()) {
      parts.add(one.settings());
    }
    return String.join(", ", parts);
  }

  private Table<Replayed> table() {
    InputTitles titles = new InputTitles(replays.stream().map(Replayed::input).toList());
    Table<Replayed> table =
        Table.shown(replays).shown("REPLAY", one -> linked(label(one, titles), one.address));
    if (!hasOneSetting()) {
      table.keepingLabels();
    }
    table
        .count("", "failed", one -> one.result.failures())
        .inUnit("", "requested", one -> one.result.peakRequestedBytes())
        .inUnit("", "reserved", one -> one.result.peakReservedBytes())
        .shown("over", Replayed::over)
        .text("", "confidence", one -> ReplayAnswer.name(one.allocator.confidence().level()));
    if (replays.stream().anyMatch(one -> one.recordedBytes.isPresent())) {
      table.shown(
          "recorded",
          one ->
              one.recordedBytes.isPresent()
                  ? Figure.inUnit(one.recordedBytes.getAsLong())
                  : Figure.none());
    }
    return table;
  }

  private static Figure linked(String text, String address) {
    return new Figure.OnPage(new Cell(text, "", address, List.of()), true);
  }
}
