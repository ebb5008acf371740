package dev.stowage.plan.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.greedy.StartPlanners;
import dev.stowage.plan.planner.ComparisonLimit;
import dev.stowage.plan.planner.MemoryPlanner;
import dev.stowage.plan.search.ObjectsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.textures.TextureExtent;
import dev.stowage.plan.textures.TextureObjectsAssignment;
import dev.stowage.plan.textures.TexturePlanner;
import dev.stowage.plan.textures.TextureUsageRecord;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kinds of plans, limits and rejected problems of strategies. */
class MemoryStrategyTest {

  /** A search starts from the list, so that it is never worse than a strategy. */
  @Test
  void values_exceptNaiveBestAndOptimal_areThoseOfTheList() {
    assertThat(MemoryStrategy.values())
        .extracting(MemoryStrategy::name)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Stream.of("NAIVE", "GREEDY_BEST", "OPTIMAL"),
                    StartPlanners.all().stream().map(MemoryPlanner::name))
                .toList());
  }

  @Test
  void plans_offsetsPlanner_isOffsetsOnly() {
    assertThat(MemoryStrategy.TFLM_GREEDY.plansObjects()).isFalse();
    assertThat(MemoryStrategy.TFLM_GREEDY.derivesOffsets()).isFalse();
  }

  @Test
  void plans_objectsPlanner_isBothKinds() {
    assertThat(MemoryStrategy.EQUALITY.plansObjects()).isTrue();
    assertThat(MemoryStrategy.EQUALITY.derivesOffsets()).isTrue();
  }

  @Test
  void plans_optimal_isBothKindsEachOnItsOwn() {
    assertThat(MemoryStrategy.OPTIMAL.plansObjects()).isTrue();
    assertThat(MemoryStrategy.OPTIMAL.derivesOffsets()).isFalse();
  }

  @Test
  void comparisonLimit_ofBothKinds_isThatOfTheDocumentation() {
    String pairs = " with 10,000,000,000 pairs live at one task";
    String objects = "20,000 records with 50,000,000 pairs live at one task";
    assertLimits(MemoryStrategy.GREEDY_BY_SIZE, objects, "100,000 records" + pairs);
    assertLimits(
        MemoryStrategy.GREEDY_BY_BREADTH,
        "20,000 records with 200,000,000 pairs live at one task",
        "20,000 records with 200,000,000 pairs live at one task");
    assertLimits(MemoryStrategy.GREEDY_BEST, objects, objects);
    assertLimits(MemoryStrategy.MINCOSTFLOW, "1,000 records", "1,000 records");
    assertThat(MemoryStrategy.TFLM_GREEDY.offsetsLimit()).isEqualTo("100,000 records" + pairs);
    assertThat(MemoryStrategy.OPTIMAL.objectsLimit()).isEqualTo("5,000 records");
    assertThat(MemoryStrategy.OPTIMAL.offsetsLimit()).isEqualTo("no limit");
    assertThat(MemoryStrategy.EQUALITY.offsetsLimit()).isEqualTo("no limit");
  }

  private static void assertLimits(MemoryStrategy strategy, String objects, String offsets) {
    assertThat(strategy.objectsLimit()).isEqualTo(objects);
    assertThat(strategy.offsetsLimit()).isEqualTo(offsets);
  }

  @Test
  void comparisonLimit_negative_isRejected() { // records < 0 or conflicts < 0
    assertThatThrownBy(() -> new ComparisonLimit(-1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("records and conflicts must not be negative: records=-1, conflicts=0");
    assertThatThrownBy(() -> new ComparisonLimit(0, -5))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ComparisonLimit.NONE).hasToString("no limit");
  }

  @Test
  void admits_manyRecordsOrManyConflicts_needsOneConditionOnly() {
    ComparisonLimit limit = new ComparisonLimit(3, 4);
    TensorUsageRecord record = TensorUsageRecord.of(1, 0, 0);
    TensorUsageRecord later = TensorUsageRecord.of(1, 1, 1);
    assertThat(limit.admits(PlanProblem.of(List.of(record, record, record)))).isTrue();
    assertThat(limit.admits(PlanProblem.of(List.of(record, record, record, later)))).isTrue();
    assertThat(limit.admits(PlanProblem.of(List.of(record, record, record, record)))).isFalse();
    assertThat(ComparisonLimit.ofRecords(1).admits(PlanProblem.of(List.of(record, later))))
        .isFalse();
  }

  @Test
  void planTextures_twoAndThreeDimensions_isRefused() {
    List<TextureUsageRecord> mixed =
        List.of(
            new TextureUsageRecord(TextureExtent.of(1, 2), 0, 0),
            new TextureUsageRecord(TextureExtent.of(1, 2, 3), 0, 0));
    assertThatThrownBy(() -> TexturePlanner.planTextures(MemoryStrategy.EQUALITY, mixed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "all textures must have the same number of dimensions: record 0 has %s, record 1 has %s"
                .formatted(TextureExtent.of(1, 2), TextureExtent.of(1, 2, 3)));
  }

  @Test
  void planObjects_tflmGreedy_isRefused() { // if !plansObjects()
    assertRefused(
        () -> MemoryStrategy.TFLM_GREEDY.planObjects(PlanProblem.of(List.of())),
        "TFLM_GREEDY plans offsets only");
  }

  @ParameterizedTest
  @EnumSource
  void plan_pinnedRecord_isPlacedOrRefused(MemoryStrategy strategy) {
    PlanProblem problem =
        PlanProblem.of(
            List.of(TensorUsageRecord.of(4, 0, 0), TensorUsageRecord.of(4, 1, 1).pinnedAt(8)));
    String message = strategy + " cannot place pinned records"; // or a record is pinned
    if (strategy.placesPins()) {
      OffsetsAssignment plan = strategy.planOffsets(problem);
      assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
      message += " in shared objects";
    } else {
      assertRefused(() -> strategy.planOffsets(problem), message);
    }
    if (strategy.plansObjects()) {
      assertRefused(() -> strategy.planObjects(problem), message);
    }
  }

  @ParameterizedTest
  @EnumSource
  void planTextures_noRecords_isEmptyOrRefused(MemoryStrategy strategy) {
    if (TexturePlanner.plansTextures(strategy)) {
      assertThat(TexturePlanner.planTextures(strategy, List.of()))
          .isEqualTo(new TextureObjectsAssignment(List.of(), List.of()));
    } else {
      assertRefused(
          () -> TexturePlanner.planTextures(strategy, List.of()),
          strategy + " does not plan textures");
    }
  }

  @Test
  void capabilities_strategies_areThoseOfTheirPlanners() {
    assertThat(MemoryStrategy.TFLM_GREEDY.placesPins()).isTrue();
    assertThat(MemoryStrategy.GREEDY_BY_SIZE.placesPins()).isFalse();
    assertThat(TexturePlanner.plansTextures(MemoryStrategy.EQUALITY)).isTrue();
    assertThat(TexturePlanner.plansTextures(MemoryStrategy.GREEDY_BY_SIZE)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void plan_noRecords_isEmpty(MemoryStrategy strategy) {
    assertPlans(strategy, PlanProblem.of(List.of()).withAlignment(64), new long[0], new long[0]);
    assertThat(LowerBounds.of(PlanProblem.of(List.of()))).isEqualTo(new LowerBounds(0, 0));
  }

  @ParameterizedTest
  @EnumSource
  void plan_oneRecord_isAtZero(MemoryStrategy strategy) {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(100, 7, 9)));
    assertPlans(strategy, problem.withAlignment(64), new long[] {0}, new long[] {100});
  }

  @ParameterizedTest
  @EnumSource
  void plan_recordsWithoutBytes_takeNone(MemoryStrategy strategy) {
    PlanProblem problem =
        PlanProblem.of(List.of(TensorUsageRecord.of(0, 0, 1), TensorUsageRecord.of(0, 1, 2)));
    assertPlans(strategy, problem, new long[] {0, 0}, new long[] {0, 0});
  }

  /*
   *           0   1   2
   *   0 (4)   A   C   C       B and C need an object each, so one of them reuses that of A;
   *   1 (4)   B   B   D       D reuses the other one, which would otherwise have 2 bytes
   */
  @Test
  void planObjects_optimal_isFoundByASearch() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(4, 0, 0),
                TensorUsageRecord.of(2, 0, 1),
                TensorUsageRecord.of(2, 1, 2),
                TensorUsageRecord.of(4, 2, 2)));
    SearchResult<ObjectsAssignment> searched =
        ObjectsSearch.of(
                problem, SearchOptions.defaults().withTimeLimit(Duration.ofSeconds(Long.MAX_VALUE)))
            .run();
    assertThat(MemoryStrategy.OPTIMAL.planObjects(problem)).isEqualTo(searched.assignment());
  }

  /*
   * Each record takes about a quarter of all offsets; D reuses the bytes of A or B.
   *
   *   task 0   1   2  ...  last
   *        A   A   A
   *            B   B
   *                C   C    C
   *                         D
   */
  @ParameterizedTest
  @EnumSource
  void plan_recordsNearTheLargestLong_doesNotOverflow(MemoryStrategy strategy) {
    long quarter = (1L << 61) - 1;
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(quarter, 0, 2),
                TensorUsageRecord.of(quarter, 1, 2),
                TensorUsageRecord.of(quarter, 2, Long.MAX_VALUE),
                TensorUsageRecord.of(quarter, Long.MAX_VALUE, Long.MAX_VALUE)));
    OffsetsAssignment plan = strategy.planOffsets(problem);
    assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
    assertThat(plan.totalBytes()).isEqualTo((strategy == MemoryStrategy.NAIVE ? 4 : 3) * quarter);
    assertThat(LowerBounds.of(problem)).isEqualTo(new LowerBounds(3 * quarter, 3 * quarter));
  }

  @ParameterizedTest
  @EnumSource
  void plan_recordOfTheMostBytes_isPlanned(MemoryStrategy strategy) {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(Long.MAX_VALUE, 0, 1)));
    assertPlans(strategy, problem, new long[] {0}, new long[] {Long.MAX_VALUE});
  }

  @ParameterizedTest
  @EnumSource
  void planOffsets_recordsAbove2Gibibytes_areAtLongOffsets(MemoryStrategy strategy) {
    long bytes = (1L << 32) + 1;
    PlanProblem problem =
        PlanProblem.of(
            List.of(TensorUsageRecord.of(bytes, 0, 0), TensorUsageRecord.of(bytes, 0, 0)));
    assertThat(Arrays.stream(strategy.planOffsets(problem).offsets()).sorted())
        .containsExactly(0L, bytes);
  }

  private static void assertPlans(
      MemoryStrategy strategy, PlanProblem problem, long[] offsets, long[] objectBytes) {
    assertThat(strategy.planOffsets(problem))
        .isEqualTo(OffsetsAssignment.of(offsets, Arrays.stream(objectBytes).sum()));
    if (strategy.plansObjects()) {
      ObjectsAssignment plan = strategy.planObjects(problem);
      assertThat(plan.objectBytes()).containsExactly(objectBytes);
      assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
    }
  }

  private static void assertRefused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(UnsupportedProblemException.class).hasMessage(message);
  }
}
