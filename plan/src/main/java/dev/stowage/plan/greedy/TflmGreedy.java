package dev.stowage.plan.greedy;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.fit.OrderedFit;
import dev.stowage.plan.planner.ComparisonLimit;
import dev.stowage.plan.planner.OffsetsPlanner;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * The strategy that places the largest records first, each into the lowest gap.
 *
 * <p>Records of equal size are placed by descending index. Pinned records are placed first and may
 * overlap each other. From TensorFlow Lite Micro's GreedyMemoryPlanner, which supports neither
 * alignment nor gaps in lifetimes. Without these, the results are equal.
 */
public final class TflmGreedy implements OffsetsPlanner {

  @Override
  public ComparisonLimit offsetsComparisonLimit() {
    return GreedyBySize.OFFSETS_LIMIT;
  }

  @Override
  public boolean placesPins() {
    return true;
  }

  @Override
  public boolean offsetsRespectGraphs() {
    return true;
  }

  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop) {
    if (problem.reuseGraph().isPresent()) {
      int[] order = bySize(problem.records());
      return ConflictFit.place(problem, this, order, OrderedFit.Fit.LOWEST, stop);
    }
    return new OrderedFit(problem)
        .place(bySize(problem.records()), OrderedFit.Fit.LOWEST, stop)
        .orElseThrow(() -> new CancellationException("stopped"));
  }

  /** {@return the indices by descending size, then descending index} */
  private static int[] bySize(List<TensorUsageRecord> records) {
    int last = records.size() - 1;
    int[] order = IndexOrder.descending(records.size(), k -> records.get(last - k).bytes());
    for (int k = 0; k < order.length; k++) {
      order[k] = last - order[k];
    }
    return order;
  }
}
