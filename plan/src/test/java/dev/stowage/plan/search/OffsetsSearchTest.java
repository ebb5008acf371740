package dev.stowage.plan.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.cases.CutProblems;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.time.TaskLoad;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link OffsetsSearch} for special problems and for former bugs. */
class OffsetsSearchTest {

  private static SearchResult<OffsetsAssignment> search(PlanProblem problem) {
    SearchOptions options = SearchOptions.defaults().withTimeLimit(Duration.ofMinutes(1));
    SearchResult<OffsetsAssignment> result = OffsetsSearch.of(problem, options).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    return result;
  }

  private static void assertOptimum(PlanProblem problem, long bytes) {
    SearchResult<OffsetsAssignment> result = search(problem);
    assertThat(result.assignment().totalBytes()).isEqualTo(bytes);
    assertThat(result.lowerBoundBytes()).isEqualTo(bytes);
    assertThat(result.isOptimal()).isTrue();
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
  }

  private static TensorUsageRecord record(long bytes, long firstTask, long lastTask) {
    return TensorUsageRecord.of(bytes, firstTask, lastTask);
  }

  @Test
  void run_noRecords_isEmpty() {
    assertOptimum(PlanProblem.of(List.of()), 0);
  }

  @Test
  void run_onlyRecordsOfNoBytes_takesNone() {
    assertOptimum(PlanProblem.of(List.of(record(0, 0, 3), record(0, 1, 2))).withAlignment(7), 0);
  }

  @Test
  void run_recordOfNoBytesThatIsPinned_isWithinTheArena() {
    assertOptimum(PlanProblem.of(List.of(record(0, 0, 3).pinnedAt(24), record(8, 1, 2))), 24);
  }

  @Test
  void run_onlyPinnedRecords_endsAtTheLastOne() {
    assertOptimum(
        PlanProblem.of(List.of(record(8, 0, 3).pinnedAt(16), record(4, 2, 5).pinnedAt(0))), 24);
  }

  /*
   *   24 |      +---+
   *   20 | +---+|   |
   *   16 | |   ||   |     two pinned records overlap at 8
   *    8 | +---++---+
   *    0 | free for the third record
   */
  @Test
  void run_overlappingPins_countTheirBytesOnce() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(record(12, 0, 3).pinnedAt(8), record(16, 1, 4).pinnedAt(8), record(8, 0, 4)));
    assertOptimum(problem, 24);
    assertThat(search(problem).assignment().offset(2)).isZero();
  }

  @Test
  void run_hugeBytesAndLastTasks_overflowNothing() {
    long huge = 1L << 60;
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(huge, 0, Long.MAX_VALUE - 1),
                record(huge + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE),
                record(huge, 5, 6).withAlignment(1L << 40),
                record(3, Long.MAX_VALUE, Long.MAX_VALUE).pinnedAt(huge)));
    assertOptimum(problem, 2 * huge + 4);
  }

  @Test
  void run_hugeBytesThatNeedASearch_agreeWithSmallOnes() {
    PlanProblem small =
        PlanProblem.of(
            List.of(
                record(2, 3, 3).withAlignment(5),
                record(3, 3, 3).withAlignment(4),
                record(3, 3, 3).withAlignment(4),
                record(4, 2, 3).withAlignment(3)));
    long optimum = ExhaustivePlans.byOrders(small);
    assertOptimum(small, optimum);
    assertOptimum(SmallProblems.scaled(small, 1L << 56), optimum << 56);
  }

  /** A record without a live range has no first and last section. */
  @Test
  void run_gapOverAllOfTheLifetime_stillHasItsBytesInTheArena() {
    TensorUsageRecord neverNeeded = record(30, 0, 1).withGaps(List.of(Gap.of(0, 1)));
    List<TensorUsageRecord> records =
        List.of(
            record(2, 1, 1).withAlignment(5),
            record(3, 1, 1).withAlignment(4),
            record(3, 1, 1).withAlignment(4),
            record(4, 0, 1).withAlignment(3));
    List<TensorUsageRecord> withIt = new ArrayList<>(records);
    withIt.add(neverNeeded);
    assertOptimum(PlanProblem.of(withIt), 30);
    withIt.set(4, record(5, 0, 1).withGaps(List.of(Gap.of(0, 1))));
    assertOptimum(PlanProblem.of(withIt), ExhaustivePlans.byOrders(PlanProblem.of(records)));
  }

  /**
   * A quick plan may place a record of no bytes above all others. It is in no partition, so the
   * search has to move it down, or the arena does not shrink and the search never ends.
   */
  @ParameterizedTest
  @ValueSource(longs = {1253, 6712, 7448})
  void run_recordOfNoBytesPlannedHigh_movesDown(long seed) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records =
        new ArrayList<>(CutProblems.of(random, 8 + random.nextInt(14)).records());
    for (int i = 0; i < 3; i++) {
      int first = random.nextInt(150);
      records.add(random.nextInt(records.size()), record(0, first, first + random.nextInt(50)));
    }
    assertOptimum(PlanProblem.of(records), CutProblems.BYTES);
  }

  /**
   * The unit of ends depends on all alignments together: computing it from each alignment in turn
   * gave the wrong lower bound 41.
   */
  @Test
  void run_alignmentsWithLittleInCommon_areProvedInTheRightUnit() {
    PlanProblem problem =
        PlanProblem.of(
                List.of(
                    record(12, 3, 3).withAlignment(5),
                    record(38, 0, 2).withAlignment(4),
                    record(12, 3, 3),
                    record(38, 1, 2).withAlignment(4).withGaps(List.of(Gap.of(1, 2))),
                    record(12, 3, 3).withAlignment(5)))
            .withAlignment(3);
    assertOptimum(problem, 39);
  }

  /**
   * One partition needs 7 bytes; all ends of the other one are multiples of 2. If no plan of the
   * latter has 7 bytes, its lower bound is 8, not 9.
   */
  @Test
  void run_partitionsOfDifferentUnits_proveTheNextMultiple() {
    PlanProblem problem =
        PlanProblem.of(List.of(record(7, 1, 1), record(4, 0, 0), record(2, 0, 0).withAlignment(3)))
            .withAlignment(4);
    assertOptimum(problem, ExhaustivePlans.byOrders(problem));
  }

  /** A bound that counts all bytes of a record in its window would be 14. */
  @Test
  void run_windowInAGap_boundCountsOnlyTheWindow() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(5, 0, 0).withAlignment(4),
                record(5, 0, 0).withAlignment(6).withGaps(List.of(new Gap(0, 0, 0, 3))),
                record(5, 0, 0)));
    assertThat(ExhaustivePlans.byOffsets(problem)).isEqualTo(13);
    assertThat(search(problem).lowerBoundBytes()).isLessThanOrEqualTo(13);
  }

  /** A pinned record without conflicts whose end is no multiple of the unit of movable records. */
  @Test
  void run_pinThatEndsBetweenMultiples_isTheBound() {
    List<TensorUsageRecord> records =
        List.of(
            record(4, 0, 0).withAlignment(4),
            record(2, 0, 0).withAlignment(12),
            record(1, 0, 1).pinnedAt(100),
            record(9, 1, 1).pinnedAt(0));
    assertOptimum(PlanProblem.of(records), 101);
    for (long pin = 0; pin < 24; pin++) {
      List<TensorUsageRecord> pinned =
          List.of(
              record(4, 0, 1).withAlignment(4),
              record(2, 0, 0).withAlignment(12),
              record(4, 0, 1).withAlignment(4),
              record(1, 2, 2).pinnedAt(pin),
              record(0, 1, 3));
      assertOptimum(PlanProblem.of(pinned), ExhaustivePlans.byOrders(PlanProblem.of(pinned)));
    }
  }

  @Test
  void run_hintsOfAnOptimalPlan_areKept() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      List<TensorUsageRecord> plain = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        int first = random.nextInt(9);
        plain.add(record(1 + random.nextInt(30), first, first + random.nextInt(4)));
      }
      SearchResult<OffsetsAssignment> result =
          OffsetsSearch.of(PlanProblem.of(plain), SearchOptions.defaults()).run();
      long totalBytes = result.assignment().totalBytes();
      // The plan upside down is also a plan.
      long[] hints = new long[plain.size()];
      List<TensorUsageRecord> hinted = new ArrayList<>();
      for (int i = 0; i < hints.length; i++) {
        hints[i] = totalBytes - result.assignment().offset(i) - plain.get(i).bytes();
        hinted.add(plain.get(i).withHint(hints[i]));
      }
      PlanProblem problem = PlanProblem.of(hinted);
      assertThat(OffsetsSearch.of(problem, SearchOptions.defaults()).run().assignment().offsets())
          .as("seed %d", seed)
          .containsExactly(hints);
    }
  }

  /** The first plans of offsets take 10 bytes; a plan of shared objects takes 9. */
  @Test
  void run_noTimeForRecordsThatShareObjectsBest_startsFromTheObjects() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(4, 5, 7),
                record(4, 3, 5),
                record(3, 2, 4),
                record(4, 0, 1),
                record(5, 6, 7),
                record(3, 0, 2)));
    assertThat(MemoryStrategy.GREEDY_IN_ORDER.planOffsets(problem).totalBytes()).isEqualTo(9);
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, SearchOptions.defaults().withTimeLimit(Duration.ZERO), () -> 0)
            .run();
    assertThat(result.assignment().totalBytes()).isEqualTo(9);
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
  }

  @Test
  void run_planOffered_isNeverAboveIt() {
    PlanProblem problem = CutProblems.of(new Random(14), 74);
    OffsetsAssignment cut = search(problem).assignment();
    SearchOptions noTime = SearchOptions.defaults().withTimeLimit(Duration.ZERO);
    assertThat(OffsetsSearch.of(problem, noTime).run().assignment().totalBytes())
        .isGreaterThan(cut.totalBytes());
    OffsetsSearch search = OffsetsSearch.of(problem, noTime);
    search.offer(cut);
    search.offer(MemoryStrategy.NAIVE.planOffsets(problem));
    SearchResult<OffsetsAssignment> result = search.run();
    assertThat(result.assignment()).isEqualTo(cut);
    assertThat(result.end()).isEqualTo(SearchEnd.OPTIMAL);
  }

  @Test
  void offer_planThatIsNotValid_isRejected() {
    PlanProblem problem = PlanProblem.of(List.of(record(4, 0, 1), record(4, 1, 2)));
    OffsetsSearch search = OffsetsSearch.of(problem, SearchOptions.defaults());
    assertThatThrownBy(() -> search.offer(OffsetsAssignment.of(new long[] {0, 0}, 4)))
        .isExactlyInstanceOf(IllegalArgumentException.class)
        .hasMessage("the offered plan is not valid: V4 records 0 and 1 share bytes at task 1");
  }

  @Test
  void run_hintsThatCostBytes_areNotFollowed() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(4, 0, 1).withHint(3),
                record(4, 0, 1).withHint(Long.MAX_VALUE),
                record(4, 1, 2).withHint(-8)));
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, SearchOptions.defaults()).run();
    assertThat(result.assignment().totalBytes()).isEqualTo(12);
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
  }

  @Test
  void run_hintThatEndsAboveTheLargestLong_isNotFollowed() {
    long huge = 1L << 62;
    for (TensorUsageRecord second : List.of(record(1, 0, 1), record(1, 2, 3), record(0, 0, 1))) {
      PlanProblem problem = PlanProblem.of(List.of(record(huge, 0, 1).withHint(huge), second));
      SearchResult<OffsetsAssignment> result =
          OffsetsSearch.of(problem, SearchOptions.defaults()).run();
      assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
      assertThat(result.assignment().totalBytes()).isEqualTo(TaskLoad.bytes(problem));
    }
  }

  /** The first two hints leave gaps of 2^61 bytes, and the third record would end at 2^63. */
  @Test
  void run_hintsThatLeaveNoRoomBelowTheLargestLong_areNotFollowed() {
    long unit = 1L << 61;
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                record(unit, 0, 1).withHint(unit),
                record(unit, 0, 1).withHint(3 * unit - 1),
                record(2 * unit - 1, 0, 1)));
    SearchResult<OffsetsAssignment> result =
        OffsetsSearch.of(problem, SearchOptions.defaults()).run();
    assertThat(AssignmentChecker.violation(problem, result.assignment())).isEmpty();
    assertThat(result.assignment().totalBytes()).isEqualTo(Long.MAX_VALUE);
  }
}
