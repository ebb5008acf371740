package dev.stowage.core.plan.search;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.ReuseGraph;

/**
 * The best plan that a search found, and what it proved.
 *
 * @param assignment the plan
 * @param lowerBoundBytes no plan is smaller, proved
 * @param end why the search ended
 * @param nodes how many placements were tried
 */
public record SearchResult(
    OffsetsAssignment assignment, long lowerBoundBytes, End end, long nodes) {

  /** Why a search ended. */
  public enum End {
    /** No plan can be smaller. */
    OPTIMAL,
    /** The plan fits into the capacity asked for. */
    CAPACITY_REACHED,
    /** The limit of nodes was reached. */
    NODE_LIMIT,
    /**
     * Of a problem with a {@link ReuseGraph}: the search was on widened lifetimes, and is over.
     * Other plans may be smaller.
     */
    NOT_EXHAUSTIVE,
    /** The time was over. */
    TIME_LIMIT,
    /** The search was cancelled. */
    CANCELLED
  }

  /** {@return whether no plan can be smaller, as is proved} */
  public boolean isOptimal() {
    return assignment.totalBytes() == lowerBoundBytes;
  }
}
