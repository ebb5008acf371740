package dev.stowage.cli.tune;

import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.netty.NettyAgreement;
import dev.stowage.trace.netty.NettyLimit;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.TraceTuning;
import dev.stowage.trace.tune.Trial;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The result of a search for settings for one trace.
 *
 * @param input the trace that was read
 * @param conditions the conditions of all replays
 * @param tuning the search, which has ended
 * @param results the results, the best one first, with the result of the baseline if it is known
 * @param hindsight the plan with hindsight; empty if the trace is too large or a signal came first
 * @param smallestLimit the limit of direct memory that the best settings need; empty for other
 *     allocators than Netty's, and if a limit is given
 * @param isCut true if time or a signal ended the search, so that better settings may exist
 */
public record TuningReport(
    TuningInput input,
    Conditions conditions,
    TraceTuning tuning,
    List<Row> results,
    Optional<Hindsight> hindsight,
    Optional<NettyLimit> smallestLimit,
    boolean isCut) {

  /** The start of all settings of Netty. */
  private static final String NETTY_PREFIX = "-Dio.netty.allocator.";

  /**
   * The conditions of all replays.
   *
   * @param allocator the allocator
   * @param limitBytes the memory of the device, if it is limited
   * @param emptiesCache true if replays started without the recorded cache
   * @param agreement the agreement of Netty with its recording; empty for other allocators
   */
  public record Conditions(
      AllocatorKind allocator,
      OptionalLong limitBytes,
      boolean emptiesCache,
      Optional<NettyAgreement> agreement) {}

  /**
   * The result of a replay.
   *
   * @param trial the result
   * @param seconds the time of the replay
   */
  public record Row(Trial trial, double seconds) {}

  /** Creates a report. */
  public TuningReport {
    results = List.copyOf(results);
  }

  /** {@return the results as groups of settings with the same figures, the best group first} */
  public List<EqualResults<Row>> outcomes() {
    return EqualResults.of(
        results, row -> List.of(row.trial().result(), row.trial().withoutCache()));
  }

  /** {@return the best settings} */
  public Trial best() {
    return results.getFirst().trial();
  }

  /**
   * {@return the settings to use: of those within 1 % of the best ones, the ones that change least;
   * of equal ones, the best}
   */
  public Trial recommended() {
    return recommended(results);
  }

  /** {@return a note on a search that time or a signal ended; empty if it is complete} */
  public Optional<String> cutNote() {
    return isCut
        ? Optional.of(
            Text.of(
                "the search was cut after %d of %s; better settings may exist",
                tuning.doneCount(), Numbers.count(tuning.replayCount(), "replay")))
        : Optional.empty();
  }

  /** {@return the settings to use, of some results} */
  static Trial recommended(List<Row> results) {
    return simplest(results, _ -> true).orElse(results.getFirst().trial());
  }

  /**
   * {@return the settings to use for a program that does not know some of the recommended ones;
   * empty if they need over 1 % more than the best ones}
   *
   * @param names the names of the settings that it does not know
   */
  public Optional<Trial> recommendedWithout(List<String> names) {
    return simplest(results, candidate -> names.stream().noneMatch(candidate.settings()::contains));
  }

  private static Optional<Trial> simplest(List<Row> results, Predicate<Candidate> isUsable) {
    return results.stream()
        .map(Row::trial)
        .filter(trial ->
            trial.result().isNear(results.getFirst().trial().result())
                && isUsable.test(trial.candidate()))
        .min(Comparator.comparingInt(trial -> trial.candidate().changes()));
  }

  /**
   * {@return the reasons why no result is exact, or for XLA not that of the settings to use, as
   * sentences; the method may replay the trace once}
   */
  public List<String> doubts() {
    return switch (conditions.allocator()) {
      case pytorch -> Confidence.doubts(input.trace().recording());
      case xla ->
          isRecorded(recommended())
              ? List.of()
              : recommended().candidate().rules().doubts(Optional.empty());
      case netty -> conditions.agreement().map(each -> List.of(each.sentence())).orElse(List.of());
      case bfc, rmm -> {
        List<String> doubts = new ArrayList<>(input.trace().doubts());
        if (guessesLimit()) {
          doubts.add(Confidence.GUESSED_LIMIT);
        }
        yield doubts;
      }
    };
  }

  /** {@return the limit of the replays: that of the conditions, or that of a log of XLA} */
  public OptionalLong limitBytes() {
    return conditions.limitBytes().isPresent() || conditions.allocator() != AllocatorKind.xla
        ? conditions.limitBytes()
        : Stream.of(input.trace().limitBytes(), input.recordedLimit())
            .filter(OptionalLong::isPresent)
            .findFirst()
            .orElseGet(OptionalLong::empty);
  }

  /** {@return true if the limit is the highest one with which the recorded requests fail} */
  public boolean guessesLimit() {
    return input.trace().recording().isEmpty()
        && input.recordedLimit().isPresent()
        && input.recordedLimit().equals(conditions.limitBytes());
  }

  /** {@return true if a result is that of the recorded settings, or of the defaults} */
  public boolean isBaseline(Trial trial) {
    return trial.candidate().equals(tuning.baseline());
  }

  /**
   * {@return true if no compared setting helps: the program requests more than the limit, or as
   * many requests fail as with the recorded settings or the defaults}
   */
  public boolean isHelpless() {
    long fewest = recommended().result().failures();
    return requestsExceedLimit()
        || (fewest > 0
            && results.stream()
                .map(Row::trial)
                .anyMatch(trial -> isBaseline(trial) && trial.result().failures() <= fewest));
  }

  /** {@return true if the program requests more at its peak than the limit} */
  public boolean requestsExceedLimit() {
    return input.trace().peakRequestedBytes() > conditions.limitBytes().orElse(Long.MAX_VALUE);
  }

  /** {@return true if a result is that of the recorded settings, as far as the trace has them} */
  public boolean isRecorded(Trial trial) {
    OptionalLong recorded = recordedReservedBytes();
    return isBaseline(trial)
        && recorded.isPresent()
        && switch (conditions.allocator()) {
          case pytorch, netty -> true;
          // A log has no settings, but it has the regions, which stay to the end.
          case xla -> trial.result().peakReservedBytes() == recorded.getAsLong();
          case bfc, rmm -> false;
        };
  }

  /** {@return true if a group has the result of the recorded settings, or of the defaults} */
  public boolean hasBaseline(EqualResults<Row> group) {
    return group.results().stream().anyMatch(row -> isBaseline(row.trial()));
  }

  /** {@return true if a group has the result of the recorded settings} */
  public boolean hasRecorded(EqualResults<Row> group) {
    return group.results().stream().anyMatch(row -> isRecorded(row.trial()));
  }

  /** {@return settings as people see them, without the start of all names of Netty} */
  public static String name(Candidate candidate) {
    return candidate.name().replace(NETTY_PREFIX, "");
  }

  /**
   * {@return the bytes that the recorded allocator held at the end, or at most, if the trace has
   * them}
   */
  public OptionalLong recordedReservedBytes() {
    List<Long> regions = input.trace().regionBytes();
    if (!regions.isEmpty()) {
      return OptionalLong.of(regions.stream().mapToLong(Long::longValue).sum());
    }
    Optional<RecordedState> recorded = input.summary().recorded();
    return recorded.isPresent()
        ? OptionalLong.of(recorded.get().reservedBytes())
        : input.summary().peakReservedBytes();
  }

  /** {@return true if the results have figures of replays without the recorded cache} */
  public boolean comparesWithoutCache() {
    return results.stream().anyMatch(row -> row.trial().withoutCache().isPresent());
  }
}
