package dev.stowage.cli.report;

import dev.stowage.cli.failure.ExplainedFailure;
import dev.stowage.cli.failure.FailureProgram;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.replay.AllocatorSummary;
import dev.stowage.cli.replay.ReplayReport;
import dev.stowage.cli.text.ProductVersion;
import dev.stowage.pages.ReplayMap;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.replay.RecordedLimit;
import dev.stowage.trace.replay.ReplayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** A replayed trace. */
public final class ReplayAnswer {

  private final ReplayReport report;
  private final ReplayResult result;
  private final AllocatorSummary allocator;
  private final Answer answer = new Answer();

  private ReplayAnswer(ReplayReport report) {
    this.report = report;
    result = report.result();
    allocator = report.allocator();
  }

  /** {@return the answer for a recording; for people, it starts with the conclusion} */
  public static Answer of(ReplayReport report, Conclusion conclusion) {
    ReplayAnswer made = new ReplayAnswer(report);
    made.answer.conclusion(report.input(), conclusion);
    made.addMap(made.answer);
    made.allocator.confidence().reasons().forEach(reason -> made.answer.line("  %s", reason));
    made.answer.lines(failures(report));
    made.addTrace();
    made.addAllocatorLines();
    made.addMemory();
    made.addAllocator();
    made.result.firstFailure().ifPresent(made::addFailure);
    made.addRest();
    Answer answer = made.answer;
    if (report.isState()) { // people see who holds the memory, because nothing was replayed
      answer = new Answer().conclusion(report.input(), conclusion);
      made.addMap(answer);
      answer
          .all(made.answer.figures())
          .line("%nTo record a history, also if an exception ends the step:")
          .lines(
              ExplainedFailure.recording(FailureProgram.PYTORCH).stream()
                  .map(line -> "  " + line)
                  .toList());
    }
    return answer.csv(made.csv());
  }

  /** {@return the first failure and the lines on its remedies; none if no request failed} */
  static List<String> failures(ReplayReport report) {
    if (report.result().firstFailure().isEmpty()) {
      return List.of();
    }
    ReplayResult.Failure failure = report.result().firstFailure().get();
    List<String> lines = new ArrayList<>();
    lines.add(
        Text.of(
            "First failure, %s, '%s': %s",
            EventText.text(report.firstFailureEvent().orElse(0)),
            Printable.of(failure.id()),
            failure.reason().replaceAll("(memory:|\\.) ", "$1\n  ")));
    if (report.allocator().kind() == AllocatorKind.ofFormat(report.summary().format())) {
      ReplayChanges.of(report, failure)
          .remedies()
          .forEach(remedy -> lines.add("  " + remedy.line()));
    }
    return lines;
  }

  /** Adds the map of a page, if the report has the data for one. */
  private void addMap(Answer to) {
    report
        .details()
        .history()
        .ifPresent(history -> to.picture(page -> page.add(new ReplayMap(history))));
  }

  private void addFailure(ReplayResult.Failure failure) {
    answer.group(
        "first_failure",
        group ->
            group
                .field("event", report.firstFailureEvent().orElse(0))
                .field("id", failure.id())
                .field("requested_bytes", failure.request().bytes())
                .field("verdict", failure.verdict().word())
                .field("recorded", failure.isRecorded())
                .field("reason", failure.reason()));
  }

  private void addTrace() {
    answer
        .line("Replayed with %s.", allocator.text())
        .line(
            "%s and %s, %d failed.",
            Numbers.count(report.allocations(), "allocation"),
            Numbers.count(result.frees(), "free"),
            result.failures())
        .field("input", report.input())
        .field("events", report.events())
        .field("allocations", report.allocations())
        .field("frees", result.frees())
        .field("failures", result.failures());
    report
        .summary()
        .recorded()
        .ifPresent(recorded ->
            answer
                .fact(
                    "in use before the recording",
                    Numbers.count(recorded.olderBlocks(), "block")
                        + " with "
                        + ByteUnit.exact(recorded.olderBytes()))
                .fact(
                    "reserved by " + report.programName() + " at the end of the recording",
                    ByteUnit.exact(recorded.reservedBytes())));
  }

  private void addAllocatorLines() {
    allocator
        .agreement()
        .addresses()
        .ifPresent(count ->
            answer.fact(
                "at the recorded address",
                Numbers.grouped(count)
                    + " of "
                    + Numbers.count(
                        allocator.agreement().addressed(report.recordedAllocations()),
                        "allocation")));
    report.details().limit().ifPresent(limit -> answer.line("%s", sentence(limit)));
    if (result.retries() > 0) {
      answer.line(
          "Retries: %s, each after cached memory was released and the device synchronized.",
          Numbers.grouped(result.retries()));
    }
  }

  /** {@return the limit that follows from failed requests, and its origin} */
  private static String sentence(RecordedLimit limit) {
    if (!limit.isPossible()) {
      return Text.of(
          "No limit explains the failures of the recording: the allocator held %s at one time, but a"
              + " request failed that needed less than %s in all.",
          ByteUnit.exact(limit.lowBytes()), ByteUnit.exact(limit.highBytes() + 1));
    }
    return Text.of(
        "Limit, from the failures of the recording: %s to %s.",
        Numbers.grouped(limit.lowBytes()), ByteUnit.exact(limit.highBytes()));
  }

  private void addConfidence() {
    Confidence confidence = allocator.confidence();
    answer
        .field("retries", result.retries())
        .field("confidence", name(confidence.level()))
        .field("confidence_reasons", Figure.texts(confidence.reasons()));
    Optional<Confidence> peaks = Optional.of(confidence).filter(Confidence::isRange);
    Optional<Confidence> failures = Optional.of(confidence).filter(Confidence::hasRangeOfFailures);
    addFigure("peak_reserved_low_bytes", peaks, Confidence::lowBytes);
    addFigure("peak_reserved_high_bytes", peaks, Confidence::highBytes);
    addFigure("failures_low", failures, Confidence::fewestFailures);
    addFigure("failures_high", failures, Confidence::mostFailures);
  }

  /** Adds a figure that JSON omits if it is absent, and that is then an empty field of CSV. */
  private <T> void addFigure(String name, Optional<T> part, ToLongFunction<T> figure) {
    answer.field(name, Figure.of(part, it -> Figure.count(figure.applyAsLong(it))));
  }

  /** {@return the name of a level} */
  static String name(Confidence.Level level) {
    return level.name().toLowerCase(Locale.ROOT);
  }

  /** {@return the level, and the range of the peak} */
  public static String text(Confidence confidence) {
    String range =
        confidence.isRange()
            ? Text.of(
                ", %s to %s reserved at the peak",
                Numbers.grouped(confidence.lowBytes()), ByteUnit.exact(confidence.highBytes()))
            : "";
    return name(confidence.level()) + range;
  }

  private void addMemory() {
    answer
        .facts(
            new Facts("PEAK", "bytes", "", "over requested")
                .bytes("peak_requested_bytes", "requested", result.peakRequestedBytes())
                .bytes(
                    "peak_in_use_bytes",
                    "in use",
                    result.peakInUseBytes(),
                    over(result.peakInUseBytes()))
                .row("reserved_bytes", "", Figure.bytes(result.reservedBytes()))
                .bytes(
                    "peak_reserved_bytes",
                    "reserved",
                    result.peakReservedBytes(),
                    over(result.peakReservedBytes())))
        .field("regions", Figure.longs(result.regionBytes().stream()))
        .line(
            "%nReserved at the end: %s in %s; never freed: %s.",
            ByteUnit.exact(result.reservedBytes()),
            Numbers.count(result.regionBytes().size(), "region"),
            ByteUnit.exact(result.neverFreedBytes()))
        .line(
            "Fragmentation at the peak of bytes in use: external %s, internal %s.",
            Numbers.percent(result.externalFragmentation()),
            Numbers.percent(result.internalFragmentation()))
        .field("external_fragmentation", new Figure.Share(result.externalFragmentation()))
        .field("internal_fragmentation", new Figure.Share(result.internalFragmentation()))
        .field("seconds", new Figure.Seconds(report.seconds()))
        .field("never_freed_bytes", result.neverFreedBytes());
  }

  private Figure over(long bytes) {
    return Figure.over(bytes, result.peakRequestedBytes());
  }

  private void addAllocator() {
    answer
        .field("allocator", allocator.kind().name())
        .field("settings", allocator.settings())
        .field("rules", Figure.text(Optional.of(allocator.rules()).filter(text -> !text.isEmpty())))
        .field("limit_bytes", Figure.bytes(allocator.limitBytes()))
        .field("device_calls", result.deviceCalls())
        .field("recorded_addresses", Figure.count(allocator.agreement().addresses()));
    addConfidence();
  }

  private void addRest() {
    answer.field("version", Figure.text(ProductVersion.find()));
    Optional<RecordedState> recorded = report.summary().recorded();
    addFigure("older_blocks", recorded, RecordedState::olderBlocks);
    addFigure("older_bytes", recorded, RecordedState::olderBytes);
    addFigure("recorded_reserved_bytes", recorded, RecordedState::reservedBytes);
    answer.field(
        "recorded_peak_reserved_bytes", Figure.count(report.summary().peakReservedBytes()));
    Optional<RecordedLimit> limit = report.details().limit().filter(RecordedLimit::isPossible);
    addFigure("limit_low_bytes", limit, RecordedLimit::lowBytes);
    addFigure("limit_high_bytes", limit, RecordedLimit::highBytes);
    report
        .details()
        .explanation()
        .ifPresent(explanation ->
            answer.group(
                "explanation", group -> ReplayExplanationParts.add(explanation, report, group)));
  }

  private Table<Answer> csv() {
    return Table.line(answer)
        .data("region_count", _ -> Figure.count(result.regionBytes().size()))
        .data(
            "first_failure",
            _ -> Figure.text(result.firstFailure().map(ReplayResult.Failure::reason)))
        .startingWith("input", "allocator", "settings");
  }
}
