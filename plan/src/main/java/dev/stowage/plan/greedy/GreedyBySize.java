package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.fit.OccupancyIndex;
import dev.stowage.plan.fit.OrderedFit;
import dev.stowage.plan.planner.ComparisonLimit;
import dev.stowage.plan.planner.ObjectsPlanner;
import dev.stowage.plan.planner.OffsetsPlanner;
import dev.stowage.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * The strategy that plans the largest records first.
 *
 * <p>Offsets: a record takes the smallest gap between the placed records that conflict with it, the
 * lowest of equal gaps. Records of equal size are placed by ascending index. Pisarchyk and Lee,
 * "Efficient Memory Management for Deep Neural Net Inference" (2020), algorithm 3; from TensorFlow
 * Lite's GPU delegate. Objects: see {@link SizeDistanceObjects}.
 */
public final class GreedyBySize implements ObjectsPlanner, OffsetsPlanner {

  /** Larger problems with many conflicts would take minutes. */
  static final ComparisonLimit OFFSETS_LIMIT = new ComparisonLimit(100_000, 10_000_000_000L);

  private static final int STOP_INTERVAL_RECORDS = 4;

  @Override
  public ComparisonLimit objectsComparisonLimit() {
    // Up to O(n²) for staircases of few sizes: some seconds at this limit.
    return new ComparisonLimit(20_000, 50_000_000);
  }

  @Override
  public ComparisonLimit offsetsComparisonLimit() {
    return OFFSETS_LIMIT;
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    return new SizeDistanceObjects(problem, new StepCounter(stop)).plan();
  }

  @Override
  public boolean offsetsRespectGraphs() {
    return true;
  }

  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop) {
    List<TensorUsageRecord> records = problem.records();
    if (problem.reuseGraph().isPresent()) {
      int[] order = IndexOrder.descending(records.size(), i -> records.get(i).bytes());
      return ConflictFit.place(problem, this, order, OrderedFit.Fit.TIGHTEST, stop);
    }
    TaskRanks ranks = TaskRanks.of(problem);
    OccupancyIndex placed = new OccupancyIndex(ranks, records);
    long[] offsets = new long[records.size()];
    int[] order = IndexOrder.descending(records.size(), i -> records.get(i).bytes());
    for (int k = 0; k < order.length; k++) {
      if (k % STOP_INTERVAL_RECORDS == 0 && stop.getAsBoolean()) {
        throw new CancellationException("stopped");
      }
      int i = order[k];
      TensorUsageRecord record = records.get(i);
      int first = ranks.ofFirst(record.firstTask());
      int last = ranks.ofLast(record.lastTask());
      if (record.bytes() > 0) {
        offsets[i] = placed.tightestGap(first, last, record.bytes(), problem.alignmentOf(record));
      } else if (conflictsOnlyAbove0(placed.lowestOccupied(first, last))) {
        offsets[i] = offsetOfEmpty(problem, Arrays.copyOf(order, k), record, offsets);
      }
      placed.occupy(first, last, offsets[i], offsets[i] + record.bytes());
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }

  /**
   * {@return true if a record conflicts with others, but with none at offset 0}
   *
   * <p>Otherwise, the offset of a record of no bytes is 0.
   */
  private static boolean conflictsOnlyAbove0(long lowestOccupied) {
    return lowestOccupied > 0 && lowestOccupied != Long.MAX_VALUE;
  }

  /**
   * {@return the offset of a record of no bytes, which fits between two records that touch}
   *
   * <p>The index does not show where records touch, so this method visits all placed records,
   * sorted by offset: O(n log n), only for a record of no bytes if its conflicts lie above offset
   * 0.
   */
  private static long offsetOfEmpty(
      PlanProblem problem, int[] placed, TensorUsageRecord record, long[] offsets) {
    List<TensorUsageRecord> records = problem.records();
    int[] conflicting =
        Arrays.stream(placed)
            .filter(j ->
                records.get(j).firstTask() <= record.lastTask()
                    && record.firstTask() <= records.get(j).lastTask())
            .toArray();
    long free = 0;
    long best = 0;
    long bestGap = Long.MAX_VALUE;
    for (int k : IndexOrder.ascending(conflicting.length, k -> offsets[conflicting[k]])) {
      int j = conflicting[k];
      if (offsets[j] >= free && offsets[j] - free < bestGap) {
        best = free;
        bestGap = offsets[j] - free;
      }
      long end = offsets[j] + records.get(j).bytes();
      free = Math.max(free, Alignment.up(end, problem.alignmentOf(record)));
    }
    return best;
  }
}
