package dev.stowage.plan.planner;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import java.util.function.BooleanSupplier;

/** A planner that assigns offsets by an algorithm of its own, not by laying out objects. */
public non-sealed interface OffsetsPlanner extends Planner {

  /**
   * {@return a valid assignment}
   *
   * <p>A planner may ignore gaps and hints.
   *
   * @param problem a problem without pinned records, unless {@link #placesPins()}, and without a
   *     graph, unless {@link #offsetsRespectGraphs()}
   * @param stop true to give up; a planner that takes long checks it every few microseconds
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  OffsetsAssignment planOffsets(PlanProblem problem, BooleanSupplier stop);

  /** {@return true if pinned records get the offsets that they are pinned to} */
  default boolean placesPins() {
    return false;
  }

  /**
   * {@return true if {@code planOffsets} respects a {@link ReuseGraph}; otherwise, {@link
   * MemoryPlanner} widens the lifetimes of such a problem}
   */
  default boolean offsetsRespectGraphs() {
    return false;
  }

  /** {@return the largest size of a problem for this planner in a comparison} */
  default ComparisonLimit offsetsComparisonLimit() {
    return ComparisonLimit.NONE;
  }
}
