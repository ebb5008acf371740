package dev.stowage.cli.report;

import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningReport.Row;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.Trial;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** A search for settings for a trace. The first lines have the best settings for a program. */
public final class TuningAnswer {

  /** The settings with which programs wait. */
  private static final List<String> SLOW =
      List.of("garbage_collection_threshold", "CacheSize=0", "lowMemory=true", "numDirectArenas=1");

  private final TuningReport report;
  private final long requestedBytes;
  private final Answer answer = new Answer();

  private TuningAnswer(TuningReport report) {
    this.report = report;
    requestedBytes = report.input().trace().peakRequestedBytes();
  }

  /**
   * {@return the answer}
   *
   * @param conclusion the first sentences for people; if requests fail with all settings, they are
   *     all that people read
   */
  public static Answer of(TuningReport report, Conclusion conclusion) {
    TuningAnswer made = new TuningAnswer(report);
    made.addSettings();
    made.addTrace();
    boolean isHopeless = report.best().result().failures() > 0;
    Table<Row> settings = made.settings(isHopeless ? List.of() : report.shown());
    Answer answer =
        new Answer()
            .conclusion(report.input().input(), conclusion)
            .all(isHopeless ? made.answer.figures() : made.answer)
            .table(settings)
            .csv(made.csv(settings));
    if (!isHopeless) {
      answer.line("%nover: reserved over requested bytes");
    }
    List<String> doubts = report.doubts();
    return answer
        .field("confidence", doubts.isEmpty() ? "exact" : "estimate")
        .field("confidence_reasons", Figure.texts(doubts))
        .field("paste", report.recommended().candidate().paste());
  }

  /** Adds the line to paste, its cost, and the search that found it. */
  private void addSettings() {
    Trial recommended = report.recommended();
    Candidate candidate = recommended.candidate();
    if (!report.requestsExceedLimit()) {
      answer.copy(
          candidate.isDefault() ? "The defaults are the settings to use:" : "The settings to use:",
          candidate.paste());
    }
    report
        .smallestLimit()
        .ifPresent(limit ->
            answer.line("%s", limit.sentence()).field("smallest_limit_bytes", limit.bytes()));
    if (recommended.result().retries() > 0
        || SLOW.stream().anyMatch(candidate.settings()::contains)) {
      answer.line(
          report.allocator() == AllocatorKind.netty
              ? "These settings may cost time: threads wait for an arena, or Netty gets more chunks from"
                  + " the system."
              : "These settings cost time: threads or the device wait while memory is released.");
    }
    OptionalLong limit = report.limitBytes();
    answer.line(
        "Compared %s for %s%s on %s, of which %s differ.",
        Numbers.count(report.tuning().candidateCount(), "setting"),
        report.allocator().title(),
        limit.isPresent() ? " with a limit of " + ByteUnit.exact(limit.getAsLong()) : "",
        Numbers.count(report.input().trace().eventCount(), "event"),
        Numbers.grouped(report.tuning().replayCount()));
  }

  private void addTrace() {
    OptionalLong recorded = report.recordedReservedBytes();
    Facts facts =
        new Facts("TRACE", "bytes", "", "over requested")
            .bytes("peak_requested_bytes", "requested (lower bound)", requestedBytes);
    report
        .hindsight()
        .ifPresent(plan ->
            facts
                .bytes("hindsight_bytes", "plan with hindsight", plan.bytes(), over(plan.bytes()))
                .row("hindsight_bound_bytes", "", Figure.bytes(plan.boundBytes())));
    recorded.ifPresent(bytes ->
        facts.bytes(
            "", "reserved by " + report.input().usualAllocator().program(), bytes, over(bytes)));
    answer
        .field("input", report.input().input())
        .field("allocator", report.allocator().name())
        .field("events", report.input().trace().eventCount())
        .field("recorded_reserved_bytes", Figure.orNull(recorded))
        .facts(facts)
        .field("limit_bytes", Figure.bytes(report.limitBytes()))
        .field("empty_cache", report.request().emptiesCache())
        .field("candidates", report.tuning().candidateCount())
        .field("replays", report.tuning().replayCount())
        .field("cut", report.isCut());
  }

  private Figure over(long bytes) {
    return Figure.over(bytes, requestedBytes);
  }

  /** {@return all results for programs, and the best ones for people} */
  private Table<Row> settings(List<Row> shown) {
    boolean mayFail =
        report.limitBytes().isPresent()
            || report.results().stream().anyMatch(row -> row.trial().result().failures() > 0);
    return Table.named("settings", report.results())
        .onTerminal(shown)
        .text("settings", Table.HIDDEN, row -> row.trial().candidate().settings())
        .text("", "SETTINGS", this::name)
        .inUnit("peak_reserved_bytes", "reserved", result(Outcome::peakReservedBytes))
        .shown("over", row -> over(row.trial().result().peakReservedBytes()))
        .count("peak_reserved_low_bytes", Table.HIDDEN, result(Outcome::lowBytes))
        .count("device_calls", "device calls", result(Outcome::deviceCalls))
        .count("failures", mayFail ? "failures" : Table.HIDDEN, result(Outcome::failures))
        .count("failures_low", Table.HIDDEN, result(Outcome::lowFailures))
        .data("seconds", row -> new Figure.Seconds(row.seconds()))
        .data("baseline", row -> new Figure.Flag(report.isBaseline(row.trial())))
        .keepingLabels();
  }

  private String name(Row row) {
    String name = TuningReport.name(row.trial().candidate());
    return report.isRecorded(row.trial()) && !name.equals("as recorded")
        ? name + " (as recorded)"
        : name;
  }

  private Table<Row> csv(Table<Row> settings) {
    return Table.shown(report.results())
        .data("input", _ -> answer.figure("input"))
        .data("allocator", _ -> answer.figure("allocator"))
        .data(settings)
        .data("peak_requested_bytes", _ -> answer.figure("peak_requested_bytes"))
        .data("cut", _ -> answer.figure("cut"))
        .startingWith("input", "allocator", "settings", "baseline", "peak_reserved_bytes");
  }

  private static ToLongFunction<Row> result(ToLongFunction<Outcome> figure) {
    return row -> figure.applyAsLong(row.trial().result());
  }
}
