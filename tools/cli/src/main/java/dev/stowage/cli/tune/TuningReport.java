package dev.stowage.cli.tune;

import dev.stowage.cli.netty.NettyLimit;
import dev.stowage.cli.replay.AllocatorKind;
import dev.stowage.trace.format.RecordedState;
import dev.stowage.trace.replay.Confidence;
import dev.stowage.trace.tune.Candidate;
import dev.stowage.trace.tune.TraceTuning;
import dev.stowage.trace.tune.Trial;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The result of a search for settings for one trace.
 *
 * @param input the trace that was read
 * @param request the requested search
 * @param tuning the search, which has ended
 * @param results the results, the best one first, with the result of the baseline if it is known
 * @param hindsight the plan with hindsight; empty if the trace is too large or a signal came first
 * @param smallestLimit the limit of direct memory that the best settings need; empty for other
 *     allocators than Netty's, and if a limit is given
 */
public record TuningReport(
    TuningInput input,
    TuningRequest request,
    TraceTuning tuning,
    List<Row> results,
    Optional<Hindsight> hindsight,
    Optional<NettyLimit> smallestLimit) {

  /** The number of different results for people, without the baseline. */
  private static final int MOST_SHOWN = 10;

  /**
   * The arena of a plan that knows all lifetimes of a trace in advance.
   *
   * @param bytes the bytes of the smallest plan that the search found
   * @param boundBytes a proved lower bound
   */
  public record Hindsight(long bytes, long boundBytes) {}

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

  /**
   * {@return the best results for people}
   *
   * <p>If several settings have the same figures, only the first of them is shown. The recommended
   * settings and the baseline are always shown.
   */
  public List<Row> shown() {
    Trial recommended = recommended();
    Set<Outcome> seen = new HashSet<>();
    return results.stream()
        .filter(row ->
            (seen.add(row.trial().result()) && seen.size() <= MOST_SHOWN)
                || row.trial().equals(recommended)
                || isBaseline(row.trial()))
        .toList();
  }

  /** {@return true if time or a signal ended the search; better settings may exist} */
  public boolean isCut() {
    return !tuning.isComplete();
  }

  /** {@return the allocator} */
  public AllocatorKind allocator() {
    return request.allocatorOf(input);
  }

  /** {@return the limit of all replays, if there is one} */
  public OptionalLong limitBytes() {
    return request.limitOf(input);
  }

  /** {@return the best settings} */
  public Trial best() {
    return results.getFirst().trial();
  }

  /**
   * {@return the settings to use: within 1 % of the best ones, the settings with the fewest
   * changes; of equal ones, the best}
   */
  public Trial recommended() {
    return recommended(results);
  }

  static Trial recommended(List<Row> results) {
    Trial best = results.getFirst().trial();
    return results.stream()
        .map(Row::trial)
        .filter(trial -> trial.result().isNear(best.result()))
        .min(Comparator.comparingInt(trial -> trial.candidate().changes()))
        .orElse(best);
  }

  /**
   * {@return the reasons why no result is exact, as sentences}
   *
   * <p>For XLA, the reasons apply to the recommended settings. The method may replay the trace
   * once.
   */
  public List<String> doubts() {
    return switch (allocator()) {
      case pytorch -> Confidence.doubts(input.trace().recording());
      case xla ->
          isRecorded(recommended())
              ? List.of()
              : recommended().candidate().rules().doubts(Optional.empty());
      case netty ->
          request.agreement(input).map(each -> List.of(each.sentence())).orElse(List.of());
      case bfc, rmm -> {
        List<String> doubts = new ArrayList<>(input.trace().doubts());
        if (guessesLimit()) {
          doubts.add(Confidence.GUESSED_LIMIT);
        }
        yield doubts;
      }
    };
  }

  /** {@return true if the limit is the highest one with which the recorded requests fail} */
  private boolean guessesLimit() {
    return input.trace().recording().isEmpty()
        && input.recordedLimit().isPresent()
        && input.recordedLimit().equals(limitBytes());
  }

  /** {@return true for the result of the recorded settings, or of the defaults} */
  public boolean isBaseline(Trial trial) {
    return trial.candidate().equals(tuning.baseline());
  }

  /** {@return true if the program requests more at its peak than the limit} */
  public boolean requestsExceedLimit() {
    return input.trace().peakRequestedBytes() > limitBytes().orElse(Long.MAX_VALUE);
  }

  /** {@return true for the result of the recorded settings, as far as the trace has them} */
  public boolean isRecorded(Trial trial) {
    OptionalLong recorded = recordedReservedBytes();
    return isBaseline(trial)
        && recorded.isPresent()
        && switch (allocator()) {
          case pytorch, netty -> true;
          // A log has no settings, but it has the regions, which stay to the end.
          case xla -> trial.result().peakReservedBytes() == recorded.getAsLong();
          case bfc, rmm -> false;
        };
  }

  /** {@return settings as people see them, without the start of all names of Netty} */
  public static String name(Candidate candidate) {
    return candidate.name().replace("-Dio.netty.allocator.", "");
  }

  /**
   * {@return the bytes that the recorded allocator held at the end, or else at its peak; empty if
   * the trace has neither}
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
}
