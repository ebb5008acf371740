package dev.stowage.core.plan;

/** Assigns offsets by an algorithm of its own, not by laying out objects. */
interface OffsetsPlanner extends Planner {

  /** {@return a valid assignment; no record is pinned, unless {@link #placesPins()}} */
  OffsetsAssignment planOffsets(PlanProblem problem);

  /** {@return whether pinned records are put where they are pinned} */
  default boolean placesPins() {
    return false;
  }
}
