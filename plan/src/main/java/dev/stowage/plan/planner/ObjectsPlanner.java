package dev.stowage.plan.planner;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import java.util.function.BooleanSupplier;

/** A planner that assigns shared objects. */
public non-sealed interface ObjectsPlanner extends Planner {

  /**
   * {@return a valid assignment}
   *
   * <p>A record with gaps occupies its object throughout its lifetime.
   *
   * @param problem a problem without pinned records, and without a graph, unless {@link
   *     #objectsRespectGraphs()}
   * @param stop true to give up; a planner that takes long checks it every few microseconds
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop);

  /**
   * {@return true if {@code planObjects} respects a {@link ReuseGraph}; otherwise, {@link
   * MemoryPlanner} widens the lifetimes of such a problem}
   */
  default boolean objectsRespectGraphs() {
    return false;
  }

  /** {@return true if {@code planObjects} usually takes longer than a search for objects} */
  default boolean isSlow() {
    return false;
  }

  /** {@return the largest size of a problem for this planner in a comparison} */
  default ComparisonLimit objectsComparisonLimit() {
    return ComparisonLimit.NONE;
  }
}
