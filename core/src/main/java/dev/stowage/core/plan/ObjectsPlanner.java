package dev.stowage.core.plan;

/** Assigns shared objects of plain bytes. */
interface ObjectsPlanner extends Planner {

  /** {@return a valid assignment; a record with gaps is live throughout, none is pinned} */
  ObjectsAssignment planObjects(PlanProblem problem);
}
