package dev.stowage.core.plan;

/** The smaller of two objects assignments; a tie goes to {@link GreedyBySize}. */
final class GreedyBest implements ObjectsPlanner {

  private final GreedyBySize bySize = new GreedyBySize();
  private final GreedyByBreadth byBreadth = new GreedyByBreadth();

  @Override
  public int comparedRecordLimit() {
    return bySize.comparedRecordLimit();
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem) {
    ObjectsAssignment a = bySize.planObjects(problem);
    ObjectsAssignment b = byBreadth.planObjects(problem);
    return b.totalBytes() < a.totalBytes() ? b : a;
  }
}
