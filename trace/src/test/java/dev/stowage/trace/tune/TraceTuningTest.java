package dev.stowage.trace.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import dev.stowage.trace.replay.AllocatorRules;
import dev.stowage.trace.replay.PlacementConsumer;
import dev.stowage.trace.replay.PytorchRules;
import dev.stowage.trace.replay.PytorchSettings;
import dev.stowage.trace.replay.ReplayResult;
import dev.stowage.trace.replay.TraceReplay;
import dev.stowage.trace.tune.Trial.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Searches, compared with replays of all settings. */
class TraceTuningTest {

  private static final int KEPT = 4;

  static LongStream seeds() {
    return Seeds.of(60);
  }

  /** {@return a search after all replays, which ran in an order of their own} */
  private static TraceTuning searched(TunedTrace trace, SettingsSpace space, Random random) {
    TraceTuning tuning = new TraceTuning(trace, space, space.candidates(trace), KEPT);
    List<TraceTuning.Replay> replays = new ArrayList<>();
    for (Optional<TraceTuning.Replay> next = tuning.next();
        next.isPresent();
        next = tuning.next()) {
      replays.add(next.get());
    }
    Collections.shuffle(replays, random);
    replays.forEach(replay -> replay.run(() -> false));
    assertThat(tuning.isComplete()).isTrue();
    return tuning;
  }

  private static List<Object> figures(List<Trial> results) {
    return results.stream()
        .<Object>map(trial -> List.of(trial.candidate().settings(), trial.result()))
        .toList();
  }

  private static ReplayResult replay(RandomTrace trace, AllocatorRules rules) {
    TraceReplay replay = new TraceReplay(rules, PlacementConsumer.none());
    trace.events().forEach(replay::accept);
    return replay.result();
  }

  private static Outcome outcome(ReplayResult result) {
    long peak = result.peakReservedBytes();
    return new Outcome(
        result.failures(), result.failures(), peak, peak, result.deviceCalls(), result.retries());
  }

  private static List<SettingsSpace> spaces(OptionalLong limit) {
    return List.of(
        SettingsSpaces.bfc(limit),
        SettingsSpaces.pytorch(limit, false),
        SettingsSpaces.rmm(limit),
        SettingsSpaces.xla(limit));
  }

  private static OptionalLong limit(TunedTrace trace, Random random) {
    return random.nextBoolean()
        ? OptionalLong.empty()
        : OptionalLong.of(256 + (long) (trace.peakRequestedBytes() * (0.5 + random.nextDouble())));
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void results_ofAnyTrace_areTheBestOfAllSettings(long seed) {
    RandomTrace trace = RandomTrace.of(seed);
    TunedTrace tuned = trace.tuned();
    Random random = new Random(seed);
    for (SettingsSpace space : spaces(limit(tuned, random))) {
      List<Outcome> all = new ArrayList<>();
      for (Candidate candidate : space.candidates(tuned)) {
        all.add(outcome(replay(trace, candidate.rules())));
      }
      all.sort(Outcome.BEST_FIRST);
      TraceTuning tuning = searched(tuned, space, random);
      List<Trial> results = tuning.results();
      assertThat(results.getFirst().result().failures()).isEqualTo(all.getFirst().failures());
      assertThat(results.getFirst().result().peakReservedBytes())
          .isEqualTo(all.getFirst().peakReservedBytes());
      for (Trial trial : results) {
        assertThat(trial.result()).isEqualTo(outcome(replay(trace, trial.candidate().rules())));
      }
      assertThat(results).anyMatch(trial -> trial.candidate().equals(tuning.baseline()));
      assertThat(figures(searched(tuned, space, random).results())).isEqualTo(figures(results));
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void results_ofPytorch_areNotWorseThanAGridOfSettings(long seed) {
    RandomTrace trace = RandomTrace.of(seed);
    TunedTrace tuned = trace.tuned();
    long least = Long.MAX_VALUE;
    for (String split : List.of("", "32", "64", "128", "256", "512", "1024", "2048")) {
      for (int divisions = 1; divisions <= 16; divisions *= 2) {
        for (String expandable : List.of("False", "True")) {
          String text =
              (split.isEmpty() ? "" : "max_split_size_mb:" + split + ",")
                  + "roundup_power2_divisions:"
                  + divisions
                  + ",expandable_segments:"
                  + expandable;
          AllocatorRules rules =
              PytorchRules.asRecorded().withSettings(PytorchSettings.parse(text));
          least = Math.min(least, replay(trace, rules).peakReservedBytes());
        }
      }
    }
    SettingsSpace space = SettingsSpaces.pytorch(OptionalLong.empty(), false);
    Trial best = searched(tuned, space, new Random(seed)).results().getFirst();
    assertThat(best.result().peakReservedBytes()).isLessThanOrEqualTo(least);
    AllocatorRules again =
        PytorchRules.asRecorded().withSettings(PytorchSettings.parse(best.candidate().settings()));
    assertThat(outcome(replay(trace, again))).isEqualTo(best.result());
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void results_ofBfc_areNotWorseThanAGridOfOptions(long seed) {
    RandomTrace trace = RandomTrace.of(seed);
    TunedTrace tuned = trace.tuned();
    long least = Long.MAX_VALUE;
    for (long split : new long[] {256, 4 << 10, 64 << 10, 1 << 20, 8 << 20, 32 << 20, 128 << 20}) {
      for (long first = 64 << 10;
          first <= Math.max(1 << 20, tuned.peakRequestedBytes());
          first *= 4) {
        BfcOptions options = BfcOptions.growing().withFirstRegion(first).withSplitThreshold(split);
        least = Math.min(least, replay(trace, AllocatorRules.bfc(options)).peakReservedBytes());
      }
      BfcOptions options = BfcOptions.expandable().withTrimThreshold(1).withSplitThreshold(split);
      least = Math.min(least, replay(trace, AllocatorRules.bfc(options)).peakReservedBytes());
    }
    SettingsSpace space = SettingsSpaces.bfc(OptionalLong.empty());
    Trial best = searched(tuned, space, new Random(seed)).results().getFirst();
    assertThat(best.result().peakReservedBytes()).isLessThanOrEqualTo(least);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void effect_ofEqualValue_isAnEqualResult(long seed) {
    RandomTrace trace = RandomTrace.of(seed);
    TunedTrace tuned = trace.tuned();
    OptionalLong limit = limit(tuned, new Random(seed));
    SettingsSpace space = SettingsSpaces.pytorch(limit, false);
    Map<Object, ReplayResult> results = new HashMap<>();
    for (Candidate candidate : space.candidates(tuned)) {
      ReplayResult result = replay(trace, candidate.rules());
      ReplayResult known = results.putIfAbsent(space.effect(candidate, tuned), result);
      if (known != null) {
        assertThat(result).as(candidate.settings()).isEqualTo(known);
      }
    }
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void lifetimes_ofAnyTrace_haveTheRequestedPeakAsLoad(long seed) {
    RandomTrace trace = RandomTrace.of(seed);
    TunedTrace tuned = trace.tuned();
    assertThat(tuned.peakRequestedBytes()).isEqualTo(trace.peakRequestedBytes());
    assertThat(LowerBounds.of(tuned.lifetimes().orElseThrow()).offsetsBytes())
        .isEqualTo(trace.peakRequestedBytes());
  }

  /** A space whose replays are counted. */
  private record CountingSpace(SettingsSpace space, AtomicInteger starts) implements SettingsSpace {

    @Override
    public List<Candidate> candidates(TunedTrace trace) {
      return space.candidates(trace).stream().map(this::counting).toList();
    }

    private Candidate counting(Candidate candidate) {
      AllocatorRules rules =
          recording -> {
            starts.incrementAndGet();
            return candidate.rules().start(recording);
          };
      return new Candidate(candidate.settings(), candidate.paste(), candidate.changes(), rules);
    }

    @Override
    public Object effect(Candidate candidate, TunedTrace trace) {
      return space.effect(candidate, trace);
    }

    @Override
    public Optional<SplitLimit> splitLimit(Candidate candidate, TunedTrace trace) {
      return space.splitLimit(candidate, trace);
    }
  }

  @Test
  void run_splitLimitsAboveAllSearchedBlocks_shareOneReplay() {
    TunedTrace trace = new TunedTrace();
    for (int i = 0; i < 8; i++) {
      trace.accept(new AllocationEvent.Allocate("r" + i, (12L << 20) - 7, 0, i));
      if (i > 3) {
        trace.accept(new AllocationEvent.Free("r" + (i - 4), 0, i));
      }
    }
    AtomicInteger starts = new AtomicInteger();
    SettingsSpace space =
        new CountingSpace(SettingsSpaces.pytorch(OptionalLong.empty(), false), starts);
    TraceTuning tuning = new TraceTuning(trace, space, space.candidates(trace), Integer.MAX_VALUE);
    for (Optional<TraceTuning.Replay> next = tuning.next();
        next.isPresent();
        next = tuning.next()) {
      next.get().run(() -> false);
    }

    assertThat(tuning.isComplete()).isTrue();
    assertThat(tuning.results()).hasSize(tuning.replayCount());
    assertThat(starts.get()).isLessThan(tuning.replayCount() / 2);
    for (Trial trial : tuning.results()) {
      assertThat(trial.result()).isEqualTo(outcome(trace.replayed(trial.candidate().rules())));
    }
  }

  @Test
  void run_cancelled_leavesTheSearchIncompleteWithTheResultsSoFar() {
    TunedTrace trace = RandomTrace.of(7).tuned();
    SettingsSpace space = SettingsSpaces.bfc(OptionalLong.empty());
    TraceTuning tuning = new TraceTuning(trace, space, space.candidates(trace), KEPT);
    Optional<Trial> first = tuning.next().orElseThrow().run(() -> false);
    assertThat(tuning.next().orElseThrow().run(() -> true)).isEmpty();
    assertThat(tuning.isComplete()).isFalse();
    assertThat(tuning.doneCount()).isEqualTo(1);
    assertThat(tuning.stoppedCount()).isZero();
    assertThat(tuning.results()).containsExactly(first.orElseThrow());
    assertThat(tuning.baseline().settings()).isEmpty();
  }

  @Test
  void new_withoutResultsToKeep_isRejected() {
    TunedTrace trace = new TunedTrace();
    SettingsSpace space = SettingsSpaces.rmm(OptionalLong.empty());
    List<Candidate> candidates = space.candidates(trace);
    assertThatThrownBy(() -> new TraceTuning(trace, space, candidates, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("kept must be positive: kept=0");
  }

  @Test
  void candidates_ofATraceWithoutEvents_areTheDefaultsAndFixedSettings() {
    TunedTrace trace = new TunedTrace();
    for (SettingsSpace space : spaces(OptionalLong.empty())) {
      TraceTuning tuning = new TraceTuning(trace, space, space.candidates(trace), 1);
      Trial best = tuning.next().orElseThrow().run(() -> false).orElseThrow();
      assertThat(best.candidate()).isEqualTo(tuning.baseline());
      // Without the memory of the device, the space of XLA has only growth for this trace.
      assertThat(best.candidate().settings()).isIn("", "XLA_PYTHON_CLIENT_PREALLOCATE=false");
      assertThat(best.result()).isEqualTo(new Outcome(0, 0, 0, 0, 0, 0));
    }
    assertThat(trace.lifetimes().orElseThrow().records()).isEmpty();
  }
}
