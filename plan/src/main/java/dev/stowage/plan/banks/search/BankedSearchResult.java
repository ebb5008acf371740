package dev.stowage.plan.banks.search;

import dev.stowage.plan.banks.BankedAssignment;
import java.util.Optional;

/**
 * The cheapest plan that a {@link BankedSearch} found, and its lower bound.
 *
 * @param assignment the plan; empty if the search found none
 * @param lowerBoundCost a proved lower bound: no plan costs less
 * @param end the reason that the search ended
 * @param nodes the number of decisions and placements that the search tried
 */
public record BankedSearchResult(
    Optional<BankedAssignment> assignment, long lowerBoundCost, BankedSearchEnd end, long nodes) {

  /** {@return true if the search proved that no plan costs less} */
  public boolean isOptimal() {
    return assignment.isPresent() && assignment.get().cost() == lowerBoundCost;
  }
}
