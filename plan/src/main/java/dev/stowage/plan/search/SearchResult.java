package dev.stowage.plan.search;

/**
 * The smallest plan that a search found, and its lower bound.
 *
 * @param <A> the kind of plans
 * @param assignment the plan
 * @param lowerBoundBytes a proved lower bound: no plan is smaller
 * @param end the reason that the search ended
 * @param nodes the amount of work: the number of placements tried, or of steps of about that cost
 */
public record SearchResult<A>(A assignment, long lowerBoundBytes, SearchEnd end, long nodes) {

  /** {@return true if the search proved that no plan is smaller} */
  public boolean isOptimal() {
    return end == SearchEnd.OPTIMAL;
  }
}
