package dev.stowage.core.plan;

import java.util.function.BooleanSupplier;

/** Assigns offsets by an algorithm of its own, not by laying out objects. */
interface OffsetsPlanner extends Planner {

  /**
   * {@return a valid assignment, also with a graph; none is pinned, unless {@link #placesPins()}}
   *
   * @param stop whether to give up; asked often
   * @throws java.util.concurrent.CancellationException if {@code stop} said so
   */
  OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop);

  /** {@return whether pinned records are put where they are pinned} */
  default boolean placesPins() {
    return false;
  }

  /** {@return up to which size this belongs into a comparison of all strategies} */
  default ComparisonLimit offsetsComparisonLimit() {
    return ComparisonLimit.NONE;
  }
}
