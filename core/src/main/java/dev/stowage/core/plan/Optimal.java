package dev.stowage.core.plan;

/** Searches for the smallest arena, as {@link OffsetsSearch} does by default. */
final class Optimal implements OffsetsPlanner {

  @Override
  public boolean placesPins() {
    return true;
  }

  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem) {
    return OffsetsSearch.of(problem, SearchOptions.defaults()).run().assignment();
  }
}
