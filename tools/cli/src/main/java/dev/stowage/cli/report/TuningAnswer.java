package dev.stowage.cli.report;

import dev.stowage.cli.netty.NettyLimit;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.cli.tune.Hindsight;
import dev.stowage.cli.tune.TuningReport;
import dev.stowage.cli.tune.TuningReport.Row;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.Trial;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A search for settings for a trace. The first lines have the best settings for a program. */
public final class TuningAnswer {

  /** The settings that only newer versions of PyTorch know. */
  private static final List<String> NEW_NAMES = List.of("large_segment_size_mb");

  /** The settings of Netty with which threads share memory that each has for itself otherwise. */
  private static final List<String> NETTY_COSTS =
      List.of("CacheSize=0", "lowMemory=true", "numDirectArenas=1");

  /** The setting of PyTorch that needs a driver with virtual addresses. */
  private static final String EXPANDABLE = "expandable_segments:True";

  private final TuningReport report;
  private final long requestedBytes;
  private final OptionalLong limitBytes;
  private final Answer answer = new Answer();

  private TuningAnswer(TuningReport report) {
    this.report = report;
    requestedBytes = report.input().trace().peakRequestedBytes();
    limitBytes = report.conditions().limitBytes();
  }

  /**
   * {@return the answer}
   *
   * @param conclusion the first sentences for people; if requests fail with all settings, they are
   *     all that people read
   */
  public static Answer of(TuningReport report, Conclusion conclusion) {
    TuningAnswer made = new TuningAnswer(report);
    made.answer
        .titled("Settings for " + report.input().input())
        .conclusion(report.input().input(), conclusion);
    made.addSettings();
    made.addTrace();
    made.addConditions();
    Table<Row> settings = made.settings();
    made.answer.table(settings).csv(made.csv(settings));
    made.answer.table(TuningTable.of(report, !made.isHopeless()));
    if (!made.isHopeless()) {
      made.addRemarks();
    }
    made.addFields();
    return made.answer;
  }

  private boolean isHopeless() {
    return report.best().result().failures() > 0;
  }

  /** Adds the lines to paste, what they cost, and how they were found. */
  private void addSettings() {
    if (!report.isHelpless()) {
      addLines(report.recommended().candidate(), report.conditions().allocator(), answer);
      older()
          .ifPresent(candidate ->
              answer.copy(
                  Text.of("Older versions reject %s. For them:", String.join(" and ", NEW_NAMES)),
                  candidate.paste()));
    }
    report.smallestLimit().ifPresent(this::addLimit);
    if (!isHopeless()) {
      addCost(report.recommended());
      report.bestWithout(EXPANDABLE).ifPresent(this::addWithoutExpandable);
      addSearch();
    }
  }

  /** Adds the best settings for platforms such as Windows. */
  private void addWithoutExpandable(Trial trial) {
    if (trial.result().failures() > 0) {
      answer.line(
          "Where %s is not supported, as on Windows, requests fail with all settings.", EXPANDABLE);
      return;
    }
    answer.copy(
        Text.of(
            "Where %s is not supported, as on Windows: %s reserved at the peak.",
            EXPANDABLE, ByteUnit.human(trial.result().peakReservedBytes())),
        trial.candidate().paste());
  }

  private Optional<Candidate> older() {
    return report
        .recommendedWithout(NEW_NAMES)
        .map(Trial::candidate)
        .filter(candidate -> !candidate.equals(report.recommended().candidate()));
  }

  /** Adds the confidence and the settings for programs. */
  private void addFields() {
    List<String> doubts = report.doubts();
    answer
        .field("confidence", doubts.isEmpty() ? "exact" : "estimate")
        .field("confidence_reasons", Figure.texts(doubts));
    addFields(report.recommended().candidate(), answer);
    answer.field(
        "paste_without_expandable_segments",
        Figure.text(
            report
                .bestWithout(EXPANDABLE)
                .filter(trial -> trial.result().failures() == 0)
                .map(trial -> trial.candidate().paste())));
    answer.field(
        "paste_older",
        report.requestsExceedLimit() ? Figure.none() : Figure.text(older().map(Candidate::paste)));
  }

  /** Says that smaller fractions fail: they were tried, and would be better otherwise. */
  private void addSmallest(Trial trial) {
    boolean isSmallest =
        trial.result().failures() == 0
            && trial.result().peakReservedBytes() == report.best().result().peakReservedBytes();
    if (isXla()
        && isSmallest
        && !report.isCut()
        && trial.candidate().settings().contains("MEM_FRACTION")) {
      answer.line("Requests fail with smaller fractions; steps of .01 were tried.");
    }
  }

  /** Says that settings cost time, if they do. */
  private void addCost(Trial trial) {
    if (trial.result().retries() > 0) {
      answer.line(
          "These settings release cached memory %s to serve a request, and wait for the device.",
          Numbers.count(trial.result().retries(), "time"));
    } else if (isNetty() && costsTime(trial.candidate())) {
      answer.line("These settings cost time: threads wait for each other at shared memory.");
    } else if (trial.candidate().settings().contains("garbage_collection_threshold")) {
      answer.line(
          "garbage_collection_threshold costs time: it releases segments while the job runs.");
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

  private static boolean costsTime(Candidate candidate) {
    return Arrays.stream(candidate.settings().split(" ", -1))
        .anyMatch(setting -> NETTY_COSTS.stream().anyMatch(setting::endsWith));
  }

  /** Adds the settings for programs. */
  static void addFields(Candidate candidate, Answer answer) {
    answer
        .field("paste", candidate.paste())
        .field("paste_new_name", Figure.text(candidate.otherPaste()));
  }

  /** Adds the lines that give a program the settings, first those that all versions know. */
  static void addLines(Candidate candidate, AllocatorKind allocator, Answer answer) {
    answer.copy(
        candidate.isDefault() ? "The defaults are the settings to use:" : "The settings to use:",
        candidate.paste());
    candidate
        .otherPaste()
        .ifPresent(line ->
            answer.copy(
                Text.of("The same, for %s and newer:", allocator.versionOfNewNames()), line));
  }

  private void addSearch() {
    answer.line(
        "Compared %s for %s%s on %s, of which %s differ%s.",
        Numbers.count(report.tuning().candidateCount(), "setting"),
        report.conditions().allocator().title(),
        limitBytes.isPresent()
            ? (isXla() ? " on a device with " : " with a limit of ")
                + ByteUnit.exact(limitBytes.getAsLong())
            : "",
        Numbers.count(report.input().trace().eventCount(), "event"),
        Numbers.grouped(report.tuning().replayCount()),
        report.isCut() ? " (cut after " + report.tuning().doneCount() + ")" : "");
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
        .field("allocator", report.conditions().allocator().name())
        .field("events", report.input().trace().eventCount())
        .field("recorded_reserved_bytes", Figure.bytes(recorded));
    if (isHopeless()) {
      facts.fields().forEach(field -> answer.field(field.name(), field.figure()));
    } else {
      answer.facts(facts);
    }
  }

  private boolean isNetty() {
    return report.conditions().allocator() == AllocatorKind.netty;
  }

  private boolean isXla() {
    return report.conditions().allocator() == AllocatorKind.xla;
  }

  private Figure over(long bytes) {
    return Figure.over(bytes, requestedBytes);
  }

  private void addConditions() {
    answer
        .field("limit_bytes", Figure.bytes(report.limitBytes()))
        .field("empty_cache", report.conditions().emptiesCache())
        .field("candidates", report.tuning().candidateCount())
        .field("replays", report.tuning().replayCount())
        .field("cut", report.isCut());
  }

  /** {@return all results for programs} */
  private Table<Row> settings() {
    return Table.named("settings", report.results())
        .text("settings", Table.HIDDEN, row -> row.trial().candidate().settings())
        .data("peak_reserved_bytes", result(Outcome::peakReservedBytes))
        .data("peak_reserved_low_bytes", result(Outcome::lowBytes))
        .data("peak_reserved_high_bytes", result(Outcome::peakReservedBytes))
        .data("failures", result(Outcome::failures))
        .data("failures_low", result(Outcome::lowFailures))
        .data("failures_high", result(Outcome::failures))
        .data("device_calls", result(Outcome::deviceCalls))
        .data("seconds", row -> new Figure.Seconds(row.seconds()))
        .data("baseline", row -> new Figure.Flag(report.isBaseline(row.trial())))
        .data("empty_cache_reserved_bytes", cold(Outcome::peakReservedBytes))
        .data("empty_cache_failures", cold(Outcome::failures))
        .data("empty_cache_device_calls", cold(Outcome::deviceCalls));
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

  private static boolean isRange(Row row) {
    Outcome result = row.trial().result();
    return result.lowBytes() < result.peakReservedBytes();
  }

  private static Function<Row, Figure> result(ToLongFunction<Outcome> figure) {
    return row -> Figure.count(figure.applyAsLong(row.trial().result()));
  }

  private static Function<Row, Figure> cold(ToLongFunction<Outcome> figure) {
    return row ->
        row.trial()
            .withoutCache()
            .map(cold -> Figure.count(figure.applyAsLong(cold)))
            .orElseGet(Figure::none);
  }

  private boolean hasOthers() {
    return report.outcomes().size() < report.results().size();
  }

  private void addRemarks() {
    answer.line("").legend("over", "reserved over requested bytes");
    if (hasOthers()) {
      answer.legend("others", "settings with the same figures; each row has the simplest of them");
    }
    if (isNetty()) {
      answer.legend("SETTINGS", "the properties whose names start with io.netty.allocator");
    }
    report.hindsight().ifPresent(plan -> answer.line("%s", sentence(plan)));
    if (report.results().stream().anyMatch(TuningAnswer::isRange)) {
      answer.legend("reserved", "the highest peak of several plausible runs");
    }
    if (report.comparesWithoutCache()) {
      answer
          .line("Replays start with the recorded cache. Of equal results, the better one reserves")
          .line("less without that cache.");
    }
    addSmallest(report.recommended());
    if (!report.recommended().equals(report.best())) {
      answer.line(
          "The simplest settings within 1 %% of the best are %s.",
          report.recommended().candidate().name());
    }
    if (isXla() && limitBytes.isEmpty()) {
      report
          .input()
          .trace()
          .limitBytes()
          .ifPresent(
              bytes -> answer.line("The limit of the log holds: %s.", ByteUnit.exact(bytes)));
      answer.line("With --limit, the memory of the device, the command also compares fractions.");
    }
  }

  private static String sentence(Hindsight plan) {
    String bound =
        plan.bytes() == plan.boundBytes()
            ? "The plan with hindsight is optimal"
            : "A plan with hindsight needs at least " + ByteUnit.exact(plan.boundBytes());
    return bound + (plan.isCut() ? "; its search was cut." : ".");
  }
}
