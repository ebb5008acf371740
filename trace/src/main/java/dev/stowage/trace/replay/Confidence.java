package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The agreement of a replay with the original allocator, as far as it is known, and the range of
 * its peak.
 *
 * @param level the level
 * @param reasons why the replay is not exact, as sentences; empty if it is
 * @param lowBytes the lowest peak of reserved bytes in any plausible run
 * @param highBytes the highest one
 * @param fewestFailures the lowest number of failed requests in any plausible run
 * @param mostFailures the highest one
 */
public record Confidence(
    Level level,
    List<String> reasons,
    long lowBytes,
    long highBytes,
    long fewestFailures,
    long mostFailures) {

  /** A level of confidence. */
  public enum Level {
    /** The original allocator has this peak. */
    EXACT,
    /** The peak of the original allocator differs between runs, and lies in the range. */
    RANGE,
    /** The trace lacks something that the original allocator depends on. */
    ESTIMATE
  }

  private static final String ADDRESSES =
      "The peak depends on the order of the addresses that cudaMalloc returns.";
  private static final String COMPLETIONS =
      "The peak depends on when the work of other streams ends.";

  /** The reason why a replay with a limit that only failed requests show is not exact. */
  public static final String GUESSED_LIMIT =
      "The trace does not have the limit of its allocator: the replay has the highest one with"
          + " which the recorded requests fail.";

  /** {@return true if the peak may differ between runs} */
  public boolean isRange() {
    return lowBytes < highBytes;
  }

  /** {@return true if the number of failed requests may differ between runs} */
  public boolean hasRangeOfFailures() {
    return fewestFailures < mostFailures;
  }

  /** Creates a confidence. */
  public Confidence {
    reasons = List.copyOf(reasons);
  }

  /**
   * {@return the confidence in a replay that has ended}
   *
   * <p>Replays the recording again: once with its own settings, to see whether they give the
   * recorded addresses, and up to nine times with other addresses of new segments and other
   * durations of waiting frees, if placements depend on them.
   *
   * @param replay the replay
   * @param rules its rules
   */
  public static Confidence of(TraceReplay replay, AllocatorRules rules) {
    Optional<PytorchRecording> recording = replay.recording();
    List<String> doubts = ownDoubts(replay, rules);
    List<TraceReplay> runs = new ArrayList<>(List.of(replay));
    List<String> reasons = new ArrayList<>();
    Optional<AllocatorRules> original = recording.flatMap(rules::original);
    if (original.isPresent() && isUncertain(replay, doubts)) {
      List<AllocatorRules> others = new ArrayList<>();
      others.add(original.get());
      others.addAll(rules.variants(replay.dependsOnAddresses(), replay.dependsOnCompletions()));
      List<TraceReplay> replays =
          others.parallelStream().map(each -> replayed(recording.get(), each)).toList();
      if (!replay.isOriginal()) {
        addDoubts(replays.getFirst(), recording.get(), doubts);
      }
      runs.addAll(replays.subList(1, replays.size()));
      addReasons(replay, reasons);
    }
    if (recording.isEmpty() && replay.isOriginal()) {
      addDoubt(replay, replay.addressCount(), doubts);
    } else if (replay.lacksRegions()) {
      doubts.add("The log does not have the regions of the allocator.");
    } else if (replay.lacksHistory()) {
      doubts.add(
          "The report does not have the requests before it, which might have had other addresses.");
    } else if (recording.isEmpty() && doubts.isEmpty() && replay.dependsOnAddresses()) {
      doubts.add(XlaRules.EQUAL_CHUNKS);
    }
    return of(runs, doubts, reasons);
  }

  /**
   * {@return the rules of the other plausible runs, from which a confidence makes its ranges; none
   * if the replay gives each allocation its recorded address}
   *
   * @param replay a replay that has ended
   * @param rules its rules
   */
  public static List<AllocatorRules> otherRuns(TraceReplay replay, AllocatorRules rules) {
    return replay.recording().flatMap(rules::original).isPresent()
            && isUncertain(replay, ownDoubts(replay, rules))
        ? rules.variants(replay.dependsOnAddresses(), replay.dependsOnCompletions())
        : List.of();
  }

  private static boolean isUncertain(TraceReplay replay, List<String> doubts) {
    return !replay.isOriginal() || !doubts.isEmpty();
  }

  /** {@return the reasons why a replay is not exact, as far as this replay alone shows them} */
  private static List<String> ownDoubts(TraceReplay replay, AllocatorRules rules) {
    List<String> doubts = new ArrayList<>(rules.doubts(replay.recording()));
    doubts.addAll(replay.allocator().doubts());
    doubts.addAll(replay.doubts());
    addFailureDoubt(replay, doubts);
    if (replay.isOriginal()) {
      replay.recording().ifPresent(recorded -> addDoubts(replay, recorded, doubts));
    }
    return doubts;
  }

  /**
   * {@return the reasons why no replay of a trace by PyTorch's rules is exact, as sentences; none
   * if a replay with the recorded settings gives each allocation its recorded address}
   *
   * @param recording the recording, if the trace is a snapshot
   */
  public static List<String> doubts(Optional<PytorchRecording> recording) {
    PytorchRules rules = PytorchRules.asRecorded();
    List<String> doubts = new ArrayList<>(rules.doubts(recording));
    recording.ifPresent(known -> {
      TraceReplay original = replayed(known, rules);
      addDoubts(original, known, doubts);
      addFailureDoubt(original, doubts);
    });
    return doubts;
  }

  private static void addReasons(TraceReplay replay, List<String> reasons) {
    if (replay.dependsOnAddresses()) {
      reasons.add(ADDRESSES);
    }
    if (replay.dependsOnCompletions()) {
      reasons.add(COMPLETIONS);
    }
  }

  private static Confidence of(
      List<TraceReplay> runs, List<String> doubts, List<String> reasonsOfRange) {
    long low = runs.stream().mapToLong(TraceReplay::peakReservedBytes).min().orElseThrow();
    long high = runs.stream().mapToLong(TraceReplay::peakReservedBytes).max().orElseThrow();
    long fewest = runs.stream().mapToLong(TraceReplay::failures).min().orElseThrow();
    long most = runs.stream().mapToLong(TraceReplay::failures).max().orElseThrow();
    boolean isRange = low < high || fewest < most;
    List<String> reasons = new ArrayList<>(doubts);
    if (isRange) {
      reasons.addAll(reasonsOfRange);
    }
    return new Confidence(
        !doubts.isEmpty() ? Level.ESTIMATE : isRange ? Level.RANGE : Level.EXACT,
        reasons,
        low,
        high,
        fewest,
        most);
  }

  private static void addDoubts(
      TraceReplay original, PytorchRecording recording, List<String> doubts) {
    if (original.contradictions() > 0) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "%,d recorded %s with the segments, as if the recording had lost events.",
              original.contradictions(),
              original.contradictions() == 1 ? "event does not agree" : "events do not agree"));
    }
    addPoolDoubt(recording, doubts);
    addDoubt(original, recording.history().recordedCount(), doubts);
  }

  private static void addPoolDoubt(PytorchRecording recording, List<String> doubts) {
    if (recording.hasOnlyDerivedPools()) {
      doubts.add(
          "Private pools are derived from released segments, which the snapshot does not name.");
    }
  }

  private static void addDoubt(TraceReplay original, long recorded, List<String> doubts) {
    long agreed = original.recordedAddresses().orElse(0);
    if (agreed < recorded) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "With the recorded settings, %,d of %,d allocations lie at the recorded address.",
              agreed,
              recorded));
    }
  }

  private static void addFailureDoubt(TraceReplay replay, List<String> doubts) {
    if (replay.guessesLimit()) {
      doubts.add(GUESSED_LIMIT);
    }
    long count = replay.recordedFailures().asRecorded();
    if (count > 0) {
      doubts.add(
          String.format(
              Locale.ROOT,
              "%,d %s in the recording for a reason that the recording does not have.",
              count,
              count == 1 ? "request failed" : "requests failed"));
    }
  }

  private static TraceReplay replayed(PytorchRecording recording, AllocatorRules rules) {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    replay.start(recording);
    recording.passEvents(replay);
    return replay;
  }
}
