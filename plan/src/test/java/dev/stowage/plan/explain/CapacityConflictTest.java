package dev.stowage.plan.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.Gap;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.explain.CapacityConflict.Reason;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.time.TaskLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CapacityConflictTest {

  private static final SearchOptions OPTIONS =
      SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(5));

  static LongStream seeds() {
    return RandomRecords.seeds(300);
  }

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  @Test
  void find_tooManyLiveBytes_namesTheLargestOfOneTaskOnly() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(1, 3, 3),
                record(60, 0, 4),
                record(2, 3, 4),
                record(50, 3, 3),
                record(70, 0, 1),
                record(30, 3, 3)));
    Optional<CapacityConflict> conflict = ConflictFinder.find(problem, 139, OPTIONS);
    // At task 3 there are 143 bytes. Without 1 and 2 there still are 140.
    assertThat(conflict)
        .contains(new CapacityConflict(List.of(1, 3, 5), 140, new Reason.LiveBytes(3, true)));
  }

  @Test
  void find_everythingFits_findsNothing() {
    PlanProblem problem = PlanProblem.of(List.of(record(60, 0, 4), record(50, 3, 3)));
    assertThat(ConflictFinder.find(problem, 110, OPTIONS)).isEmpty();
    assertThat(ConflictFinder.find(PlanProblem.of(List.of()), 0, OPTIONS)).isEmpty();
  }

  @Test
  void find_liveBytesThatRequireMoreDueToAlignmentOrPins_areNotExact() {
    PlanProblem aligned =
        PlanProblem.of(List.of(record(3, 0, 0).withAlignment(4), record(3, 0, 0).withAlignment(4)));
    assertThat(ConflictFinder.find(aligned, 5, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1), 6, new Reason.LiveBytes(0, false)));
    PlanProblem pinned = PlanProblem.of(List.of(record(3, 0, 0), record(3, 0, 0).pinnedAt(2)));
    assertThat(ConflictFinder.find(pinned, 5, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1), 6, new Reason.LiveBytes(0, false)));
  }

  @Test
  void find_paddingOfDifferentAlignmentsThatAPlanAttains_isExact() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(5, 0, 0).withAlignment(6), record(1, 0, 0).withAlignment(3)));
    assertThat(ConflictFinder.find(problem, 6, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1), 7, new Reason.Padding(0, 3, true)));
  }

  @Test
  void find_gapsWithAGraph_areIgnored() {
    TensorUsageRecord record = record(3, 0, 2).withGaps(List.of(new Gap(0, 1, 0, 2)));
    PlanProblem problem =
        PlanProblem.of(List.of(record, record(4, 0, 0)))
            .withReuseGraph(ReuseGraph.ofReallocation(List.of(List.of(1), List.of(0))));
    assertThat(ConflictFinder.find(problem, 6, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1), 7, new Reason.LiveBytes(0, true)));
  }

  @Test
  void find_longestTimeLimit_isAccepted() {
    PlanProblem problem = PlanProblem.of(List.of(record(60, 0, 4), record(50, 3, 3)));
    SearchOptions longest = OPTIONS.withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE));
    assertThat(ConflictFinder.find(problem, 100, longest).orElseThrow().records())
        .containsExactly(0, 1);
  }

  @Test
  void find_pinnedTooHigh_namesThatRecord() {
    PlanProblem problem = PlanProblem.of(List.of(record(60, 0, 4), record(10, 9, 9).pinnedAt(100)));
    assertThat(ConflictFinder.find(problem, 100, OPTIONS))
        .contains(new CapacityConflict(List.of(1), 110, new Reason.RecordEnd()));
  }

  @Test
  void find_alignedRecordsWhoseLiveBytesFit_namesThePadding() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(5, 0, 0), record(5, 0, 0), record(1, 7, 7))).withAlignment(8);
    assertThat(ConflictFinder.find(problem, 12, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1), 13, new Reason.Padding(0, 8, true)));
  }

  @Test
  void find_oneByteAtAPinAboveTheCapacity_countsAsOneLiveByte() {
    PlanProblem problem = PlanProblem.of(List.of(record(1, 0, 0).pinnedAt(6)));
    assertThat(ConflictFinder.find(problem, 6, OPTIONS))
        .contains(new CapacityConflict(List.of(0), 7, new Reason.RecordEnd()));
    assertThat(ConflictFinder.find(problem, 0, OPTIONS))
        .contains(new CapacityConflict(List.of(0), 1, new Reason.LiveBytes(0, false)));
  }

  @Test
  void find_recordWithGapsThatIsTooLarge_namesItsEnd() {
    TensorUsageRecord windows = record(20, 0, 3).withGaps(List.of(new Gap(0, 3, 5, 9)));
    assertThat(ConflictFinder.find(PlanProblem.of(List.of(windows)), 10, OPTIONS))
        .contains(new CapacityConflict(List.of(0), 20, new Reason.RecordEnd()));
  }

  @Test
  void find_recordWithoutBytesPinnedTooHigh_namesItsEnd() {
    PlanProblem problem = PlanProblem.of(List.of(record(0, 0, 0).pinnedAt(6), record(3, 0, 0)));
    assertThat(ConflictFinder.find(problem, 5, OPTIONS))
        .contains(new CapacityConflict(List.of(0), 6, new Reason.RecordEnd()));
  }

  @Test
  void find_pinsThatShareBytes_countThemOnce() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(4, 0, 9).pinnedAt(0),
                record(4, 2, 2).pinnedAt(2),
                record(4, 2, 2).pinnedAt(1),
                record(5, 2, 3)));
    assertThat(ConflictFinder.find(problem, 10, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1, 3), 11, new Reason.LiveBytes(2, true)));
  }

  @Test
  void find_pinInTheMiddle_namesTheRecordWithoutRoom() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(9, 5, 5), record(2, 0, 3).pinnedAt(4), record(5, 3, 4)));
    assertThat(ConflictFinder.find(problem, 10, OPTIONS))
        .contains(new CapacityConflict(List.of(1, 2), 11, new Reason.Pins(2, true)));
  }

  /** Record 3 fits into the gap of record 0 at task 3, but is then in its way at task 4. */
  @Test
  void find_conflictThatOnlyASearchProves_isNoPlacement() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(4, 2, 4).withGaps(List.of(Gap.of(3, 3))),
                record(1, 2, 4),
                record(4, 1, 4),
                record(1, 3, 5),
                record(4, 2, 3),
                record(3, 3, 3)));
    assertThat(TaskLoad.bytes(problem)).isEqualTo(13);
    assertThat(ConflictFinder.find(problem, 13, OPTIONS))
        .contains(new CapacityConflict(List.of(0, 1, 2, 3, 4), 14, new Reason.NoPlacement(true)));
  }

  @Test
  void find_manyAlignedRecords_needsNoSearch() {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      records.add(record(5, i / 10, 10_000 + i));
    }
    PlanProblem problem = PlanProblem.of(records).withAlignment(8);
    // All records are live at task 1999, and each except the topmost one takes 8 bytes.
    CapacityConflict conflict =
        ConflictFinder.find(problem, 120_000, OPTIONS.withTimeLimit(Duration.ZERO)).orElseThrow();
    assertThat(conflict.leastBytes()).isEqualTo(15_001 * 8 - 3);
    assertThat(conflict.records()).hasSize(15_001);
    assertThat(conflict.reason()).isInstanceOf(Reason.Padding.class);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void find_belowTheOptimum_isProved(long seed) {
    PlanProblem problem = SmallProblems.of(seed, 6, 9);
    assertProved(problem, new Random(seed), ExhaustivePlans::byOrders);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void find_belowTheOptimumOfRecordsWithWindows_isProved(long seed) {
    PlanProblem problem = SmallProblems.withWindows(seed, 5, 7);
    assertProved(problem, new Random(seed), ExhaustivePlans::byOffsets);
  }

  private static void assertProved(
      PlanProblem problem, Random random, ToLongFunction<PlanProblem> smallest) {
    long optimum = smallest.applyAsLong(problem);
    assertThat(ConflictFinder.find(problem, optimum, OPTIONS)).as("%s", problem).isEmpty();
    if (optimum == 0) {
      return;
    }
    for (long capacity : new long[] {optimum - 1, random.nextLong(optimum)}) {
      CapacityConflict conflict = ConflictFinder.find(problem, capacity, OPTIONS).orElseThrow();
      String what = "%s within %s of %s".formatted(conflict, capacity, problem);
      assertThat(conflict.records()).as(what).isSorted().doesNotHaveDuplicates();
      assertThat(conflict.leastBytes()).as(what).isGreaterThan(capacity);
      PlanProblem only = only(problem, conflict.records());
      long needed = smallest.applyAsLong(only);
      assertThat(needed).as(what).isGreaterThanOrEqualTo(conflict.leastBytes());
      switch (conflict.reason()) {
        case Reason.LiveBytes live -> {
          assertThat(conflict.records())
              .as(what)
              .allMatch(i -> ExhaustivePlans.isLive(problem.records().get(i), live.task()));
          assertThat(liveBytes(only, live.task())).as(what).isEqualTo(conflict.leastBytes());
          assertExact(live.isExact(), needed, conflict, what);
        }
        case Reason.RecordEnd() -> {
          assertThat(conflict.records()).as(what).hasSize(1);
          assertThat(needed).as(what).isEqualTo(conflict.leastBytes());
        }
        case Reason.Padding padding -> {
          assertThat(liveBytes(only, padding.task()))
              .as(what)
              .isLessThan(conflict.leastBytes())
              .isEqualTo(only.naiveBytes());
          assertThat(only.records())
              .as(what)
              .allMatch(record -> record.pinnedOffset().isEmpty())
              .allMatch(r -> ExhaustivePlans.alignment(only, r) % padding.alignmentBytes() == 0);
          assertThat(paddedBytes(only, padding.alignmentBytes()))
              .as(what)
              .isEqualTo(conflict.leastBytes());
          assertExact(padding.isExact(), needed, conflict, what);
        }
        case Reason.Pins pins -> {
          assertThat(only.records().stream().filter(r -> r.pinnedOffset().isEmpty()))
              .as(what)
              .containsExactly(problem.records().get(pins.blocked()));
          assertThat(pins.isExact()).as(what).isTrue();
          assertExact(true, needed, conflict, what);
        }
        case Reason.NoPlacement exhausted -> {
          assertThat(exhausted.isExact()).as(what).isTrue();
          assertExact(true, needed, conflict, what);
        }
      }
      assertIsMinimal(problem, conflict, capacity, smallest, what);
    }
  }

  private static void assertExact(
      boolean isExact, long needed, CapacityConflict conflict, String what) {
    if (isExact) {
      assertThat(needed).as(what).isEqualTo(conflict.leastBytes());
    }
  }

  /** Counts the bytes of all records, with movable ones one after the other above pinned ones. */
  private static long liveBytes(PlanProblem problem, long task) {
    long[] offsets = ExhaustivePlans.stacked(problem);
    BitSet taken = new BitSet();
    for (int i = 0; i < offsets.length; i++) {
      long[] need = ExhaustivePlans.neededBytes(problem.records().get(i), task);
      taken.set((int) (offsets[i] + need[0]), (int) (offsets[i] + need[1]));
    }
    return taken.cardinality();
  }

  /** Without any one of the records, the reason of the conflict does not hold. */
  private static void assertIsMinimal(
      PlanProblem problem,
      CapacityConflict conflict,
      long capacity,
      ToLongFunction<PlanProblem> smallest,
      String what) {
    for (int removed : conflict.records()) {
      List<Integer> others = new ArrayList<>(conflict.records());
      others.remove(Integer.valueOf(removed));
      PlanProblem remaining = only(problem, others);
      long bytes =
          switch (conflict.reason()) {
            case Reason.LiveBytes live -> liveBytes(remaining, live.task());
            case Reason.Padding padding -> paddedBytes(remaining, padding.alignmentBytes());
            default -> smallest.applyAsLong(remaining);
          };
      assertThat(bytes).as("without %d: %s", removed, what).isLessThanOrEqualTo(capacity);
    }
  }

  /** {@return the end of the records one after the other, that with the most padding last} */
  private static long paddedBytes(PlanProblem problem, long alignment) {
    long end = 0;
    long maxPadding = 0;
    for (TensorUsageRecord record : problem.records()) {
      long next = ExhaustivePlans.roundUp(end + record.bytes(), alignment);
      maxPadding = Math.max(maxPadding, next - end - record.bytes());
      end = next;
    }
    return end - maxPadding;
  }

  private static PlanProblem only(PlanProblem problem, List<Integer> records) {
    return PlanProblem.of(records.stream().map(problem.records()::get).toList())
        .withAlignment(problem.alignment());
  }
}
