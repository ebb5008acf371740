package dev.stowage.plan.search;

import dev.stowage.plan.ObjectsAssignment;

/**
 * The smallest shared objects that an {@link ObjectsSearch} found, and their lower bound.
 *
 * @param assignment the plan
 * @param lowerBoundBytes a proved lower bound: no plan is smaller
 * @param end the reason that the search ended
 * @param nodes the amount of work: states of sweeps, placed records, and steps of equal cost
 */
public record ObjectsSearchResult(
    ObjectsAssignment assignment, long lowerBoundBytes, SearchEnd end, long nodes) {

  /** {@return true if the search proved that no plan is smaller} */
  public boolean isOptimal() {
    return assignment.totalBytes() == lowerBoundBytes;
  }
}
