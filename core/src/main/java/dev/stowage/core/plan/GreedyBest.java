package dev.stowage.core.plan;

import java.util.function.BooleanSupplier;

/** The smaller of two objects assignments; a tie goes to {@link GreedyBySize}. */
final class GreedyBest implements ObjectsPlanner {

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
