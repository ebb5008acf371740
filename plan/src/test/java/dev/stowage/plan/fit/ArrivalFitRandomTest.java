package dev.stowage.plan.fit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The fallback plan of a search without time. */
class ArrivalFitRandomTest {

  static LongStream seeds() {
    return RandomRecords.seeds(400);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_anyProblem_isValid(long seed) {
    PlanProblem problem =
        seed % 2 == 0 ? SmallProblems.withWindows(seed, 30, 60) : SmallProblems.of(seed, 30, 60);
    OffsetsAssignment plan = ArrivalFit.plan(problem, ArrivalFit::checkInvariants);
    assertThat(AssignmentChecker.violation(problem, plan)).as("%s", problem).isEmpty();
    assertThat(ArrivalFit.plan(problem)).isEqualTo(plan);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void plan_manyRecords_isValidAndReusesBytes(long seed) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      long first = random.nextInt(500);
      TensorUsageRecord record =
          TensorUsageRecord.of(1 + random.nextInt(99), first, first + random.nextInt(20));
      records.add(random.nextInt(4) == 0 ? record.withAlignment(1 + random.nextInt(16)) : record);
    }
    PlanProblem problem = PlanProblem.of(records);
    OffsetsAssignment plan = ArrivalFit.plan(problem, ArrivalFit::checkInvariants);
    assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
    assertThat(plan.totalBytes()).isLessThan(3 * LowerBounds.of(problem).offsetsBytes());
  }

  /*
   *   12 |    +--+
   *    8 | +--+C |      C is larger than the free chunk at 4, the last one, which grows
   *    4 | |B ++-+
   *    0 | +A-|
   *        0  1
   */
  @Test
  void plan_freeRangeAtTheEnd_grows() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(4, 0, 1),
                TensorUsageRecord.of(4, 0, 0),
                TensorUsageRecord.of(8, 1, 1)));
    assertThat(ArrivalFit.plan(problem)).isEqualTo(OffsetsAssignment.of(new long[] {0, 4, 4}, 12));
  }
}
