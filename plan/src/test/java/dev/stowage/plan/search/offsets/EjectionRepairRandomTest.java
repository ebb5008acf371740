package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.OverlappingLifetimes;
import dev.stowage.plan.cases.RandomRecords;
import dev.stowage.plan.cases.SmallProblems;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.fit.ArrivalFit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ejections in plans of random problems, and the tree that finds conflicts. */
class EjectionRepairRandomTest {

  /** The number of calls of {@code stop} after which a turn on a small problem ends. */
  private static final int CALLS = 40;

  static LongStream seeds() {
    return RandomRecords.seeds(200);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void turn_anyPlan_staysAPlanAndIsNeverLarger(long seed) {
    for (int part = 0; part < 5; part++) {
      long each = 5 * seed + part;
      PlanProblem problem =
          part % 2 == 0 ? SmallProblems.withWindows(each, 40, 40) : SmallProblems.of(each, 40, 40);
      OffsetsAssignment start = ArrivalFit.plan(problem);
      long goalBytes = LowerBounds.of(problem).offsetsBytes();
      EjectionRepair repair =
          new EjectionRepair(new RankedRecords(problem), start.offsets(), part % 2);
      long before = start.totalBytes();
      for (int turn = 0; turn < 3; turn++) {
        int[] calls = {0};
        repair.turn(goalBytes, () -> ++calls[0] > CALLS);
        OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, repair.offsets());
        assertThat(AssignmentChecker.violation(problem, plan)).as("%s", problem).isEmpty();
        assertThat(plan.totalBytes()).as("%s", problem).isBetween(goalBytes, before);
        repair.checkInvariants();
        before = plan.totalBytes();
      }
    }
  }

  @Test
  void turn_hundredsOfRecords_lowersThePlan() {
    PlanProblem problem = OverlappingLifetimes.problem(7, 600, false);
    OffsetsAssignment start = ArrivalFit.plan(problem);
    long goalBytes = LowerBounds.of(problem).offsetsBytes();
    long[] ends = new long[2];
    for (int run = 0; run < 2; run++) {
      EjectionRepair repair = new EjectionRepair(new RankedRecords(problem), start.offsets(), 0);
      repair.turn(goalBytes, () -> false);
      OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, repair.offsets());
      assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
      assertThat(plan.totalBytes()).isLessThan(start.totalBytes());
      assertThat(repair.nodes()).isPositive();
      ends[run] = plan.totalBytes();
    }
    assertThat(ends[0]).isEqualTo(ends[1]);
  }

  /** The record in the middle starts above the goal; one of its neighbours has to move. */
  @Test
  void turn_recordAboveTheGoal_takesTheOffsetOfAnother() {
    PlanProblem problem =
        PlanProblem.of(
            List.of(
                TensorUsageRecord.of(6, 0, 1),
                TensorUsageRecord.of(4, 1, 2),
                TensorUsageRecord.of(6, 2, 3)));
    EjectionRepair repair =
        new EjectionRepair(new RankedRecords(problem), new long[] {0, 6, 10}, 0);
    repair.turn(10, () -> false);
    OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(problem, repair.offsets());
    assertThat(AssignmentChecker.violation(problem, plan)).isEmpty();
    assertThat(plan.totalBytes()).isEqualTo(10);
  }

  @Test
  void restartFromIfBetter_smallerPlan_replacesThePlan() {
    PlanProblem problem = PlanProblem.of(List.of(TensorUsageRecord.of(6, 0, 1)));
    EjectionRepair repair = new EjectionRepair(new RankedRecords(problem), new long[] {7}, 0);
    repair.restartFromIfBetter(new long[] {8});
    assertThat(repair.offsets()).containsExactly(7);
    repair.restartFromIfBetter(new long[] {1});
    assertThat(repair.offsets()).containsExactly(1);
  }

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void lifetimeTree_anyRecords_agreesWithAList(long seed) {
    Random random = new Random(seed);
    int ranks = 1 + random.nextInt(80);
    int count = random.nextInt(300);
    int[] first = random.ints(count, 0, ranks).toArray();
    int[] last = Arrays.stream(first).map(rank -> rank + random.nextInt(ranks - rank)).toArray();
    int[] records = IntStream.range(0, count).filter(i -> random.nextInt(5) > 0).toArray();
    LifetimeTree tree = new LifetimeTree(records, first, last);
    for (int query = 0; query < 30; query++) {
      int from = random.nextInt(ranks);
      int to = from + random.nextInt(ranks - from);
      List<Integer> found = new ArrayList<>();
      tree.overlapping(from, to, found::add);
      assertThat(found)
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(records)
                  .filter(i -> first[i] <= to && last[i] >= from)
                  .boxed()
                  .toList());
    }
  }
}
