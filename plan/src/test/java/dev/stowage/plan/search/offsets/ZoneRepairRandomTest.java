package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Repairs of random and of small plans. */
class ZoneRepairRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(40);
  }

  private static long countAbove(PlanProblem problem, long[] offsets, long goalBytes) {
    return IntStream.range(0, offsets.length)
        .filter(i -> offsets[i] + problem.records().get(i).bytes() > goalBytes)
        .count();
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void turn_anyPlan_staysAPlanWithNoMoreAboveTheGoal(long seed) {
    PlanProblem problem =
        seed % 2 == 0 ? SmallProblems.of(seed, 60, 40) : SmallProblems.withWindows(seed, 60, 40);
    OffsetsAssignment start = MemoryStrategy.TFLM_GREEDY.planOffsets(problem);
    long goalBytes = LowerBounds.of(problem).offsetsBytes();
    ZoneRepair repair = new ZoneRepair(new RankedRecords(problem), start.offsets());
    long above = countAbove(problem, start.offsets(), goalBytes);
    for (int turn = 0; turn < 3; turn++) {
      repair.turn(goalBytes, () -> false);
      OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, repair.offsets());
      assertThat(AssignmentChecker.violation(problem, plan)).as("%s", problem).isEmpty();
      long left = countAbove(problem, repair.offsets(), goalBytes);
      assertThat(left).as("%s", problem).isLessThanOrEqualTo(above);
      above = left;
    }
  }

  @Test
  void turn_recordAboveTheGoal_movesBelowIt() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(6, 0, 1),
                TensorUsageRecord.of(4, 1, 2),
                TensorUsageRecord.of(6, 2, 3)));
    // The second record lies at 0, below the others: all end within 10 bytes.
    ZoneRepair repair = new ZoneRepair(new RankedRecords(problem), new long[] {4, 0, 4});
    repair.turn(10, () -> false);
    assertThat(repair.offsets()).containsExactly(4, 0, 4);
    repair.restartFromIfBetter(new long[] {0, 6, 10}, 10);
    assertThat(repair.offsets()).containsExactly(4, 0, 4);
    ZoneRepair tooHigh = new ZoneRepair(new RankedRecords(problem), new long[] {0, 6, 10});
    tooHigh.turn(10, () -> false);
    OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, tooHigh.offsets());
    assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
    assertThat(plan.totalBytes()).isEqualTo(10);
    assertThat(tooHigh.nodes()).isPositive();
  }

  @Test
  void restartFromIfBetter_fewerAboveTheGoal_replacesThePlan() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(6, 0, 1)));
    ZoneRepair repair = new ZoneRepair(new RankedRecords(problem), new long[] {7});
    repair.restartFromIfBetter(new long[] {1}, 10);
    assertThat(repair.offsets()).containsExactly(1);
  }
}
