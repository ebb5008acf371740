package dev.stowage.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.OutOfMemoryVerdict;
import dev.stowage.testing.Seeds;
import dev.stowage.trace.format.AllocationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The advice after a replay, checked by another replay. */
class ReplayAdviceTest {

  private static final long MIB = 1 << 20;

  private static final long MAX_EVENTS = 4_000_000;

  static LongStream seeds() {
    return Seeds.of(4000);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void find_anyHistoryThatFails_passesWithTheAdvice(long seed) {
    Random random = new Random(seed);
    boolean regionsLengthen = seed % 4 != 3;
    long largest = 1L << (9 + random.nextInt(14));
    List<AllocationEvent> events = events(random, largest);
    long limit = random.nextLong(1, 8) * largest + random.nextInt(5000);
    BfcOptions growing =
        switch (Math.floorMod(seed, 4)) {
          case 0 -> BfcOptions.oneRegion(limit);
          case 1 -> BfcOptions.growing().withLimit(limit);
          default -> BfcOptions.expandable().withLimit(limit);
        };
    BfcOptions splitting =
        growing
            .withFirstRegion(random.nextLong(1, largest))
            .withSplitThreshold(new long[] {1, 4096, 128 << 20}[random.nextInt(3)]);
    BfcOptions options = random.nextBoolean() ? splitting.withGarbageCollection() : splitting;
    TraceReplay replay = replay(events, options, regionsLengthen);
    if (replay.hasFailed()) {
      ReplayResult.Failure failure = replay.result().firstFailure().orElseThrow();
      assertThat(failure.reason()).doesNotContain(". It would have passed");
      ReplayAdvice advice =
          new AdviceSearch(events, options, regionsLengthen, MAX_EVENTS).run(failure.verdict());
      check(events, options, regionsLengthen, advice);
    }
  }

  private static List<AllocationEvent> events(Random random, long largest) {
    List<AllocationEvent> events = new ArrayList<>();
    List<String> live = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      if (random.nextInt(3) == 0 && !live.isEmpty()) {
        events.add(free(live.remove(random.nextInt(live.size()))));
      } else {
        events.add(allocate("r" + i, 1 + random.nextLong(largest)));
        live.add("r" + i);
      }
    }
    return events;
  }

  private static AllocationEvent allocate(String id, long bytes) {
    return new AllocationEvent.Allocate(id, bytes, 0, 0, List.of());
  }

  private static AllocationEvent free(String id) {
    return new AllocationEvent.Free(id, 0, 0);
  }

  private static TraceReplay replay(
      List<AllocationEvent> events, BfcOptions options, boolean regionsLengthen) {
    TraceReplay replay = new TraceReplay(options, PlacementConsumer.none(), regionsLengthen);
    events.forEach(replay::accept);
    return replay;
  }

  private static void check(
      List<AllocationEvent> events,
      BfcOptions options,
      boolean regionsLengthen,
      ReplayAdvice advice) {
    assertThat(advice.isTight()).isTrue();
    long limit = advice.limitBytes().orElseThrow();
    assertThat(replay(events, options.withLimit(limit), regionsLengthen).hasFailed()).isFalse();
    assertThat(replay(events, options.withLimit(limit - 256), regionsLengthen).hasFailed())
        .isTrue();
    if (advice.splitThresholdBytes().isPresent()) {
      BfcOptions split = options.withSplitThreshold(advice.splitThresholdBytes().getAsLong());
      assertThat(replay(events, split, regionsLengthen).hasFailed()).isFalse();
    }
  }

  /*
   * With 5 MiB, regions have 1, 2 and 2 MiB. With 6 MiB, the third has 3 MiB, which the third request
   * takes as a whole, since the rest is less than the request: the fourth fails again.
   */
  private static final List<AllocationEvent> DOUBLING =
      List.of(
          allocate("a", MIB),
          allocate("b", 2 * MIB),
          allocate("c", 16 * MIB / 10),
          allocate("d", MIB));

  @Test
  void find_doublingRegions_advisesWhatPassesFromTheStart() {
    BfcOptions options = BfcOptions.growing().withLimit(5 * MIB);
    ReplayResult result = replay(DOUBLING, options, true).result();
    assertThat(result.failures()).isEqualTo(1);
    assertThat(replay(DOUBLING, options.withLimit(6 * MIB), true).hasFailed()).isTrue();
    ReplayAdvice advice =
        AdviceSearch.find(
            DOUBLING,
            options,
            result.firstFailure().map(ReplayResult.Failure::verdict).orElseThrow());
    check(DOUBLING, options, true, advice);
    assertThat(advice.limitBytes().orElseThrow()).isBetween(6 * MIB, 7 * MIB);
  }

  @Test
  void find_unsplitChunks_advisesToSplitThem() {
    BfcOptions options = BfcOptions.oneRegion(4 * MIB);
    List<AllocationEvent> events =
        List.of(
            allocate("a", 5 * MIB / 2), // the rest of 1.5 MiB is not split off
            allocate("b", MIB));
    ReplayResult.Failure failure =
        replay(events, options, true).result().firstFailure().orElseThrow();
    assertThat(failure.verdict()).isEqualTo(OutOfMemoryVerdict.FRAGMENTED);
    assertThat(failure.reason())
        .contains(
            "Rounding and unsplit chunks take 1.5 MiB; without these, the request would be within the limit.");
    ReplayAdvice advice = AdviceSearch.find(events, options, failure.verdict());
    assertThat(advice.splitThresholdBytes()).hasValue(MIB);
    check(events, options, true, advice);
  }

  @Test
  void find_moreEventsThanMayBeReplayed_advisesNothing() {
    BfcOptions options = BfcOptions.growing().withLimit(5 * MIB);
    ReplayAdvice advice =
        new AdviceSearch(DOUBLING, options, true, 3).run(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(advice.isEmpty()).isTrue();
  }

  @Test
  void find_searchEndsEarly_advisesWhatPassesAndClaimsNoMore() {
    BfcOptions options = BfcOptions.growing().withLimit(5 * MIB);
    ReplayAdvice advice =
        new AdviceSearch(DOUBLING, options, true, 8).run(OutOfMemoryVerdict.DOES_NOT_FIT);
    assertThat(advice.limitBytes()).hasValue(7 * MIB);
    assertThat(advice.isTight()).isFalse();
    assertThat(advice.splitThresholdBytes()).isEmpty();
  }

  @Test
  void find_requestThatNoLimitHolds_advisesNothing() {
    List<AllocationEvent> events = List.of(allocate("a", Long.MAX_VALUE));
    for (BfcOptions options :
        List.of(BfcOptions.growing().withLimit(MIB), BfcOptions.oneRegion(MIB))) {
      assertThat(AdviceSearch.find(events, options, OutOfMemoryVerdict.DOES_NOT_FIT).isEmpty())
          .isTrue();
    }
  }
}
