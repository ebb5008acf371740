package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.planner.ComparisonLimit;
import dev.stowage.plan.planner.ObjectsPlanner;
import java.util.function.BooleanSupplier;

/**
 * The strategy that takes the smaller of the plans of {@link GreedyBySize} and {@link
 * GreedyByBreadth}; of equal ones, the former.
 */
public final class GreedyBest implements ObjectsPlanner {

  private final GreedyBySize bySize = new GreedyBySize();
  private final GreedyByBreadth byBreadth = new GreedyByBreadth();

  @Override
  public ComparisonLimit objectsComparisonLimit() {
    return bySize.objectsComparisonLimit();
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    ObjectsAssignment a = bySize.planObjects(problem, stop);
    ObjectsAssignment b = byBreadth.planObjects(problem, stop);
    return b.totalBytes() < a.totalBytes() ? b : a;
  }
}
