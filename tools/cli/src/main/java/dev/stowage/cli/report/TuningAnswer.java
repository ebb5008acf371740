package dev.stowage.cli.report;

import dev.stowage.cli.netty.NettyLimit;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningReport.Row;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
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
    made.answer.conclusion(report.input().input(), conclusion);
    made.addSettings();
    made.addTrace();
    Table<Row> settings = made.settings();
    made.answer.table(settings).csv(made.csv(settings));
    if (!made.isHopeless()) {
      made.answer.line("%nover: reserved over requested bytes");
    }
    made.addFields();
    return made.answer;
  }

  private boolean isHopeless() {
    return report.best().result().failures() > 0;
  }

  /** Adds the lines to paste, their costs, and the search that found them. */
  private void addSettings() {
    if (!report.requestsExceedLimit()) {
      addLines(report.recommended().candidate());
      addWithout("large_segment_size_mb", "Older versions reject large_segment_size_mb");
      addWithout("expandable_segments:True", "Windows has no expandable_segments");
    }
    report.smallestLimit().ifPresent(this::addLimit);
    if (!isHopeless()) {
      addCost(report.recommended());
      addSearch();
    }
  }

  /** Adds the lines that give a program the settings, first the lines that all versions know. */
  private void addLines(Candidate candidate) {
    answer.copy(
        candidate.isDefault() ? "The defaults are the settings to use:" : "The settings to use:",
        candidate.paste());
    candidate
        .otherPaste()
        .ifPresent(line ->
            answer.copy(
                Text.of("The same, for %s and newer:", report.allocator().versionOfNewNames()),
                line));
  }

  /** Adds the best settings without one that some programs reject. */
  private void addWithout(String setting, String rejected) {
    report
        .recommendedWithout(setting)
        .filter(trial -> trial.result().failures() == 0)
        .ifPresent(trial ->
            answer.copy(
                Text.of(
                    "%s; %s reserved at the peak without it:",
                    rejected, ByteUnit.human(trial.result().peakReservedBytes())),
                trial.candidate().paste()));
  }

  /** Says that settings cost time, if they do. */
  private void addCost(Trial trial) {
    if (trial.result().retries() > 0) {
      answer.line(
          "These settings release cached memory %s to serve a request, and wait for the device.",
          Numbers.count(trial.result().retries(), "time"));
    } else if (SLOW.stream().anyMatch(trial.candidate().settings()::contains)) {
      answer.line(
          report.allocator() == AllocatorKind.netty
              ? "These settings cost time: threads wait for each other at shared memory."
              : "garbage_collection_threshold costs time: it releases segments while the job runs.");
    }
  }

  private void addLimit(NettyLimit limit) {
    answer
        .line(
            "The smallest limit with which all requests pass: -XX:MaxDirectMemorySize=%d (%s); with"
                + " one chunk of %s less, requests fail.",
            limit.bytes(), ByteUnit.human(limit.bytes()), ByteUnit.human(limit.chunkBytes()))
        .field("smallest_limit_bytes", limit.bytes());
  }

  private void addSearch() {
    OptionalLong limit = report.limitBytes();
    answer.line(
        "Compared %s for %s%s on %s, of which %s differ%s.",
        Numbers.count(report.tuning().candidateCount(), "setting"),
        report.allocator().title(),
        limit.isPresent() ? " with a limit of " + ByteUnit.exact(limit.getAsLong()) : "",
        Numbers.count(report.input().trace().eventCount(), "event"),
        Numbers.grouped(report.tuning().replayCount()),
        report.isCut() ? " (cut after " + report.tuning().doneCount() + ")" : "");
    long cachedBytes = report.input().trace().cachedBytes();
    if (report.allocator() == AllocatorKind.pytorch
        && !report.request().emptiesCache()
        && cachedBytes > 0) {
      answer.line(
          "Replays start with %s that the recording had cached; --empty-cache starts without them.",
          ByteUnit.human(cachedBytes));
    }
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
                .row("hindsight_bound_bytes", "", Figure.bytes(plan.boundBytes()))
                .row("hindsight_cut", "", new Figure.Flag(plan.isCut())));
    recorded.ifPresent(bytes ->
        facts.bytes(
            "", "reserved by " + report.input().usualAllocator().program(), bytes, over(bytes)));
    answer
        .field("input", report.input().input())
        .field("allocator", report.allocator().name())
        .field("events", report.input().trace().eventCount())
        .field("recorded_reserved_bytes", Figure.orNull(recorded));
    if (isHopeless()) {
      facts.fields().forEach(field -> answer.field(field.name(), field.figure()));
    } else {
      answer.facts(facts);
    }
    answer
        .field("limit_bytes", Figure.bytes(report.limitBytes()))
        .field("empty_cache", report.request().emptiesCache())
        .field("candidates", report.tuning().candidateCount())
        .field("replays", report.tuning().replayCount())
        .field("cut", report.isCut());
  }

  private Figure over(long bytes) {
    return Figure.over(bytes, requestedBytes);
  }

  /** Adds the confidence and the settings for programs. */
  private void addFields() {
    List<String> doubts = report.doubts();
    Candidate candidate = report.recommended().candidate();
    answer
        .field("confidence", doubts.isEmpty() ? "exact" : "estimate")
        .field("confidence_reasons", Figure.texts(doubts))
        .field("paste", candidate.paste())
        .field("paste_new_name", Figure.text(candidate.otherPaste()));
  }

  /** {@return all results for programs, and the best ones for people} */
  private Table<Row> settings() {
    boolean mayFail =
        report.limitBytes().isPresent()
            || report.results().stream().anyMatch(row -> row.trial().result().failures() > 0);
    return Table.named("settings", report.results())
        .onTerminal(isHopeless() ? List.of() : report.shown())
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
