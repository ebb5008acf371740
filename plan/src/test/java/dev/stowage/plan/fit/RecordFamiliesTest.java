package dev.stowage.plan.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.cases.NaivePlanners;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.RecordFamilies;
import dev.stowage.plan.cases.RecordFamilies.Lifetimes;
import dev.stowage.plan.cases.RecordFamilies.Sizes;
import dev.stowage.plan.strategy.MemoryStrategy;
import dev.stowage.plan.time.TaskRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The greedy strategies, for families of records that are hard in different ways. */
class RecordFamiliesTest {

  /** The growth of fewer steps does not matter. */
  private static final long STEPS_PER_RECORD = 100;

  static LongStream seeds() {
    return RandomRecords.seeds(5);
  }

  static Stream<Arguments> families() {
    List<Arguments> families = new ArrayList<>();
    for (Lifetimes lifetimes : Lifetimes.values()) {
      for (Sizes sizes : Sizes.values()) {
        families.add(Arguments.of(lifetimes, sizes));
      }
    }
    return families.stream();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_everyFamily_agreesWithTheModels(long seed) {
    for (Lifetimes lifetimes : Lifetimes.values()) {
      for (Sizes sizes : Sizes.values()) {
        PlanProblem problem = RecordFamilies.problem(lifetimes, sizes, 60, seed);
        List<TensorUsageRecord> records = problem.records();
        assertOffsets(problem);
        assertThat(MemoryStrategy.GREEDY_BY_BREADTH.planObjects(problem))
            .isEqualTo(NaivePlanners.greedyByBreadth(records).toAssignment());
        assertThat(MemoryStrategy.GREEDY_BY_SIZE.planObjects(problem))
            .isEqualTo(NaivePlanners.greedyBySize(records).toAssignment());
      }
    }
  }

  /** With 4,000 records, the index changes to rectangles. */
  @ParameterizedTest
  @EnumSource(Sizes.class)
  void planOffsets_longStaircase_agreesWithTheModels(Sizes sizes) {
    assertOffsets(RecordFamilies.problem(Lifetimes.STAIRCASE, sizes, 4_000, 1));
  }

  private static void assertOffsets(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    assertThat(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).offsets())
        .isEqualTo(NaivePlanners.greedyBySizeOffsets(records, 1));
    assertThat(MemoryStrategy.TFLM_GREEDY.planOffsets(problem).offsets())
        .isEqualTo(NaivePlanners.tflmGreedy(records));
  }

  /** Quadratic growth would be a factor of 64. Lists would hide the growth: they end at a limit. */
  @Tag("full")
  @ParameterizedTest
  @MethodSource("families")
  void place_eightTimesAsManyRecords_takesFarLessThanSixtyFourTimesTheSteps(
      Lifetimes lifetimes, Sizes sizes) {
    for (OrderedFit.Fit fit : List.of(OrderedFit.Fit.LOWEST, OrderedFit.Fit.TIGHTEST)) {
      long few = steps(RecordFamilies.problem(lifetimes, sizes, 2_000, 1), fit, false);
      long many = steps(RecordFamilies.problem(lifetimes, sizes, 16_000, 1), fit, false);
      long linear = 16_000 * STEPS_PER_RECORD;
      assertThat(many).as("%s, after %d", fit, few).isLessThan(Math.max(24 * few, linear));
    }
  }

  @Tag("full")
  @ParameterizedTest
  @MethodSource("families")
  void place_withLists_takesFewMoreStepsThanWithout(Lifetimes lifetimes, Sizes sizes) {
    for (int records : new int[] {2_000, 16_000}) {
      PlanProblem problem = RecordFamilies.problem(lifetimes, sizes, records, 1);
      for (OrderedFit.Fit fit : List.of(OrderedFit.Fit.LOWEST, OrderedFit.Fit.TIGHTEST)) {
        assertThat(steps(problem, fit, true))
            .as("%d records, %s", records, fit)
            .isLessThan(3 * steps(problem, fit, false) + records * STEPS_PER_RECORD);
      }
    }
  }

  private static long steps(PlanProblem problem, OrderedFit.Fit fit, boolean mayUseLists) {
    List<TensorUsageRecord> records = problem.records();
    TaskRanks ranks = TaskRanks.of(problem);
    OccupancyIndex placed =
        new OccupancyIndex(
            ranks.count(),
            OccupancyIndex.SwitchLimits.DEFAULT,
            ListEstimate.of(ranks, records).filter(_ -> mayUseLists));
    int[] order = IndexOrder.descending(records.size(), i -> records.get(i).bytes());
    new OrderedFit(problem).place(order, fit, () -> false, placed);
    return placed.steps();
  }
}
