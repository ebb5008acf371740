package dev.stowage.plan.search;

import dev.stowage.plan.OffsetsAssignment;

/**
 * The smallest arena that an {@link OffsetsSearch} found, and its lower bound.
 *
 * @param assignment the plan
 * @param lowerBoundBytes a proved lower bound: no plan is smaller
 * @param end the reason that the search ended
 * @param nodes the number of placements that the search tried
 */
public record OffsetsSearchResult(
    OffsetsAssignment assignment, long lowerBoundBytes, SearchEnd end, long nodes) {

  /** {@return true if the search proved that no plan is smaller} */
  public boolean isOptimal() {
    return assignment.totalBytes() == lowerBoundBytes;
  }
}
