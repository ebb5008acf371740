package dev.stowage.plan.search;

/**
 * The smallest plan that a search found, and its lower bound.
 *
 * @param <A> the kind of plans
 * @param assignment the plan
 * @param lowerBoundBytes a proved lower bound: no plan is smaller
 * @param end the reason that the search ended
 * @param nodes the amount of work; for offsets, the number of placements tried, and for objects,
 *     states of sweeps, placed records, and steps of equal cost
 */
public record SearchResult<A>(A assignment, long lowerBoundBytes, SearchEnd end, long nodes) {

  /** {@return true if the search proved that no plan is smaller} */
  public boolean isOptimal() {
    return end == SearchEnd.OPTIMAL;
  }
}
