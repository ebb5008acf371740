package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.SearchShapes;
import dev.stowage.plan.fit.ArrivalFit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The number of steps after which the work on one partition stops. */
class PartitionSearchStopTest {

  /** The constructor counts the steps in which it builds the lists of conflicts and of pairs. */
  @ParameterizedTest
  @EnumSource(SearchShapes.class)
  void exactPartitionSearch_whileItIsBuilt_callsStopInEveryInterval(SearchShapes shape) {
    PlanProblem problem = shape.problem(2_000);
    int[] movable = ExhaustivePlans.movable(problem);
    OffsetsAssignment plan = ArrivalFit.plan(problem);
    long[] calls = {0};
    new ExactPartitionSearch(
        problem,
        movable,
        new int[0],
        0,
        plan,
        () -> {
          calls[0]++;
          return false;
        });
    // Each pair of records has at most three entries in the lists.
    long pairs = Partition.entryBound(problem, movable) / 3;
    assertThat(calls[0] * StepCounter.INTERVAL_STEPS).isGreaterThan(pairs);
    long last = calls[0];
    for (long stopAt : new long[] {1, 2, last / 2, last}) {
      long[] left = {stopAt};
      assertThatThrownBy(() ->
              new ExactPartitionSearch(problem, movable, new int[0], 0, plan, () -> --left[0] <= 0))
          .isInstanceOf(CancellationException.class);
      assertThat(left[0]).isZero();
    }
  }

  /** A single placement may cost as much as thousands in other partitions. */
  @ParameterizedTest
  @EnumSource(SearchShapes.class)
  void placement_stoppedAnywhere_endsAtOnce(SearchShapes shape) {
    PlanProblem problem = shape.problem(1_000);
    int[] movable = ExhaustivePlans.movable(problem);
    Partition partition =
        Partition.of(
            problem,
            movable,
            new int[0],
            ExhaustivePlans.stacked(problem),
            new StepCounter(() -> false));
    long capacity = LowerBounds.of(problem).offsetsBytes() * 11 / 10;
    try (SearchWorkers workers = new SearchWorkers(1)) {
      for (long stopAt : new long[] {1, 2, 10, 100}) {
        long[] left = {stopAt};
        RestartedSearch search = new RestartedSearch(partition, RecordPriority.AREA);
        List<CapacitySearch.Outcome> outcome = new ArrayList<>();
        workers.runAll(
            List.of(() -> outcome.add(search.next(capacity, () -> --left[0] <= 0))), () -> {});
        assertThat(left[0]).isNotNegative();
        if (left[0] == 0) {
          assertThat(outcome).containsExactly(CapacitySearch.Outcome.INCOMPLETE);
        }
      }
    }
  }
}
