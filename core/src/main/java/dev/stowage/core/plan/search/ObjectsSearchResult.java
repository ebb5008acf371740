package dev.stowage.core.plan.search;

import dev.stowage.core.plan.ObjectsAssignment;

/**
 * What a search for shared objects has found.
 *
 * @param assignment the smallest assignment found
 * @param lowerBoundBytes what no assignment is smaller than, proved
 * @param end why the search ended
 * @param nodeCount how much was looked at, in the unit of the search's limit
 */
public record ObjectsSearchResult(
    ObjectsAssignment assignment, long lowerBoundBytes, SearchResult.End end, long nodeCount) {

  /** {@return whether it is proved that no assignment is smaller} */
  public boolean isOptimal() {
    return assignment.totalBytes() == lowerBoundBytes;
  }
}
