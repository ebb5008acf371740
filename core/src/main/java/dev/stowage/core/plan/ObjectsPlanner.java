package dev.stowage.core.plan;

import java.util.function.BooleanSupplier;

/** Assigns shared objects of plain bytes. */
interface ObjectsPlanner extends Planner {

  /**
   * {@return a valid assignment; a record with gaps is live throughout, none is pinned, and there
   * is no graph, unless {@link #knowsGraphs()}}
   *
   * @param stop whether to give up; asked often by planners that take long
   * @throws java.util.concurrent.CancellationException if {@code stop} said so
   */
  ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop);

  /**
   * {@return true if the planner respects a {@link ReuseGraph}; otherwise its caller widens
   * lifetimes}
   */
  default boolean knowsGraphs() {
    return false;
  }

  /** {@return up to which size this belongs into a comparison of all strategies} */
  default ComparisonLimit comparisonLimit() {
    return ComparisonLimit.NONE;
  }
}
