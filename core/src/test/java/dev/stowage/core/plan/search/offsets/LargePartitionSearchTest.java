package dev.stowage.core.plan.search.offsets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.core.plan.Gap;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.bounds.LowerBounds;
import dev.stowage.core.plan.cases.ExhaustivePlans;
import dev.stowage.core.plan.check.AssignmentChecker;
import dev.stowage.core.plan.strategy.MemoryStrategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rounds over a partition of hundreds of records. */
class LargePartitionSearchTest {

  /** {@return a problem of overlapping short lifetimes and a few long ones} */
  private static PlanProblem problem(long seed, int count, boolean constrained) {
    Random random = new Random(seed);
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long first = i / 3;
      long length = random.nextInt(40) == 0 ? random.nextInt(300) : 2 + random.nextInt(4);
      TensorUsageRecord record =
          TensorUsageRecord.of(64L * random.nextInt(200), first, first + length);
      if (constrained && random.nextInt(20) == 0) {
        record = record.withAlignment(96);
      } else if (constrained && random.nextInt(400) == 0) {
        record = record.pinnedAt(64L * random.nextInt(3000));
      } else if (constrained && random.nextInt(20) == 0) {
        record = record.withGaps(List.of(Gap.of(first, first + length / 2)));
      }
      records.add(record);
    }
    return PlanProblem.of(records);
  }

  @Test
  void nextRound_fromAStackedPlan_onlyImproves() {
    PlanProblem problem = ExhaustivePlans.ofNeededRecords(problem(6, 600, true));
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
