package dev.stowage.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.cases.ExhaustivePlans;
import dev.stowage.plan.cases.OverlappingLifetimes;
import dev.stowage.plan.check.AssignmentChecker;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rounds over a partition of hundreds of records. */
class LargePartitionSearchTest {

  @Test
  void nextRound_fromAStackedPlan_onlyImproves() {
    PlanProblem problem =
        ExhaustivePlans.ofNeededRecords(OverlappingLifetimes.problem(6, 600, true));
    int count = problem.records().size();
    int[] all = new int[count];
    for (int i = 0; i < count; i++) {
      all[i] = count - 1 - i;
    }
    List<TensorUsageRecord> reversed = problem.records().reversed();
    PlanProblem whole = PlanProblem.of(reversed);
    long[] offsets = ExhaustivePlans.stacked(whole);
    long loadBytes = LowerBounds.of(problem).offsetsBytes();
    LargePartitionSearch search =
        new LargePartitionSearch(
            all, problem, loadBytes, OffsetsAssignment.inSmallestArena(whole, offsets.clone()));
    long before = OffsetsAssignment.inSmallestArena(whole, offsets).totalBytes();
    assertThat(search.upperBytes()).isEqualTo(before);
    PartitionSearch.Round stopped = search.nextRound(loadBytes, () -> true);
    stopped.turns().forEach(Runnable::run);
    stopped.end();
    for (int round = 0; round < 40; round++) {
      PartitionSearch.Round next = search.nextRound(loadBytes, () -> false);
      next.turns().forEach(Runnable::run);
      next.end();
      assertThat(search.upperBytes()).isBetween(loadBytes, before);
      before = search.upperBytes();
      search.copyOffsets(offsets);
      OffsetsAssignment plan = OffsetsAssignment.inSmallestArena(whole, offsets.clone());
      assertThat(AssignmentChecker.violation(whole, plan)).isEmpty();
      assertThat(plan.totalBytes()).isEqualTo(search.upperBytes());
    }
    assertThat(search.lowerBytes()).isEqualTo(loadBytes);
    assertThat(search.upperBytes())
        .isLessThan(MemoryStrategy.TFLM_GREEDY.planOffsets(problem).totalBytes());
  }
}
