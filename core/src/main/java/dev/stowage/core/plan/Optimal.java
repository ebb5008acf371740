package dev.stowage.core.plan;

/**
 * Searches for the smallest arena, as {@link OffsetsSearch} does by default, and for the smallest
 * shared objects.
 */
final class Optimal implements OffsetsPlanner, ObjectsPlanner {

  /** About a second or two of searching, beside what the strategies take that it starts from. */
  private static final long OBJECTS_NODES = 2_000_000;

  /** A comparison has these strategies' plans already, and waits for them a second time. */
  private static final int MAX_COMPARED_RECORDS = 5_000;

  @Override
  public boolean placesPins() {
    return true;
  }

  @Override
  public OffsetsAssignment planOffsets(PlanProblem problem) {
    return OffsetsSearch.of(problem, SearchOptions.defaults()).run().assignment();
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem) {
    return ObjectsSearch.search(problem, OBJECTS_NODES, () -> false).assignment();
  }

  @Override
  public int comparedRecordLimit() {
    return MAX_COMPARED_RECORDS;
  }
}
