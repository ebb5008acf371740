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
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
   * @param failures the lines on its first failure; none if no request failed
   */
  private record Replayed(
      String input,
      String address,
      AllocatorSummary allocator,
      ReplayResult result,
      List<String> failures) {

    String settings() {
      return allocator.settings().isEmpty() ? "defaults" : allocator.settings();
    }

    String title() {
      return allocator.kind().title();
    }

    long reserved() {
      return result.peakReservedBytes();
    }

    long difference() {
      return reserved() - result.peakRequestedBytes();
    }

    /** {@return the trace and the allocator in a sentence} */
    String name() {
      return Printable.of(input) + ", replayed with " + allocator.text();
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
    replays.add(
        new Replayed(
            report.input(),
            address,
            report.allocator(),
            report.result(),
            ReplayAnswer.failures(report)));
  }

  /**
   * {@return the answer}
   *
   * @param isComplete false if the user interrupted the command before it had all replays
   */
  public Answer answer(boolean isComplete) {
    Answer answer = new Answer().titled("Replays");
    if (!replays.isEmpty()) {
      answer
          .conclusion("", conclusion())
          .table(table())
          .line("%nover: peak of reserved over peak of requested bytes");
      replays.stream()
          .filter(one -> !one.failures.isEmpty())
          .forEach(one ->
              answer.line(
                  "%s: %s", Printable.of(one.input), one.failures.getFirst().replace("\n  ", " ")));
    }
    if (!isComplete) {
      answer.line("%sInterrupted: the table lacks traces.", replays.isEmpty() ? "" : "\n");
    }
    return answer;
  }

  private Conclusion conclusion() {
    List<Replayed> failed = replays.stream().filter(one -> one.result.failures() > 0).toList();
    Replayed first = replays.getFirst();
    String count = Numbers.count(replays.size(), "replay");
    if (!failed.isEmpty()) {
      long requests = failed.stream().mapToLong(one -> one.result.failures()).sum();
      return conclusion(
          Numbers.count(requests, "failed request"),
          Text.of(
              "Requests fail in %s of %s, first in %s.",
              Numbers.grouped(failed.size()), count, failed.getFirst().name()),
          "The first failure of each follows the table.",
          failed.getFirst());
    }
    String confidence = "No request fails in " + count + ".";
    boolean isOfSettings =
        replays.size() > 1
            && count(Replayed::input) == 1
            && count(Replayed::title) == 1
            && count(Replayed::settings) == replays.size();
    if (isOfSettings) {
      Replayed best =
          replays.stream().skip(1).min(Comparator.comparingLong(Replayed::reserved)).orElseThrow();
      return conclusion(ByteUnit.human(best.reserved()), saving(first, best), confidence, first);
    }
    Replayed most =
        replays.stream().reduce((a, b) -> b.difference() > a.difference() ? b : a).orElseThrow();
    return conclusion(
        ByteUnit.human(most.difference()),
        Text.of(
            "%s, has the largest difference: it reserves %s at the peak for %s that the program"
                + " requests.",
            most.name(),
            ByteUnit.human(most.reserved()),
            ByteUnit.human(most.result.peakRequestedBytes())),
        confidence,
        most);
  }

  private Conclusion conclusion(
      String figure, String sentence, String confidence, Replayed replayed) {
    return new Conclusion(
        figure,
        sentence,
        confidence,
        Optional.of(ShellLine.of("tune", replayed.input, tuneOptions)));
  }

  /** {@return the best other settings for a trace, and what they save against the first ones} */
  private static String saving(Replayed first, Replayed best) {
    long saved = first.reserved() - best.reserved();
    return Text.of(
        "With %s, %s reserves %s at the peak of %s%s with %s%s.",
        best.settings(),
        best.title(),
        ByteUnit.sentence(best.reserved()),
        Printable.of(first.input),
        saved == 0
            ? ", as much as"
            : ": " + ByteUnit.human(Math.abs(saved)) + (saved > 0 ? " less than" : " more than"),
        first.settings(),
        saved == 0 ? "" : DifferenceText.percent(-saved, first.reserved()));
  }

  private long count(Function<Replayed, String> property) {
    return replays.stream().map(property).distinct().count();
  }

  private boolean hasOneSetting() {
    return count(one -> one.allocator.text()) == 1;
  }

  /** {@return the parts of a replay that differ: the trace, and the allocator and its settings} */
  private String label(Replayed one, InputTitles titles) {
    List<String> parts = new ArrayList<>();
    if (hasOneSetting() || count(Replayed::input) > 1) {
      parts.add(titles.of(one.input));
    }
    if (count(Replayed::title) > 1) {
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
    return table
        .count("", "failed", one -> one.result.failures())
        .inUnit("", "requested", one -> one.result.peakRequestedBytes())
        .inUnit("", "reserved", Replayed::reserved)
        .shown("over", one -> Figure.over(one.reserved(), one.result.peakRequestedBytes()))
        .text("", "confidence", one -> ReplayAnswer.name(one.allocator.confidence().level()));
  }

  private static Figure linked(String text, String address) {
    return new Figure.OnPage(new Cell(text, "", address, List.of()), true);
  }
}
