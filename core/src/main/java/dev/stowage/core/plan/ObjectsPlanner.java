package dev.stowage.core.plan;

/** Assigns shared objects of plain bytes. */
interface ObjectsPlanner extends Planner {

  /** {@return a valid assignment; a record with gaps is live throughout, none is pinned} */
  ObjectsAssignment planObjects(PlanProblem problem);

  /** {@return up to how many records this belongs into a comparison of all strategies} */
  default int comparedRecordLimit() {
    return Integer.MAX_VALUE;
  }
}
