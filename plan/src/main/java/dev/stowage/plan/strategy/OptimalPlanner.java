package dev.stowage.plan.strategy;

import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.search.BankedSearch;
import dev.stowage.plan.search.SearchOptions;
import java.util.Optional;

/**
 * Searches for the best plan of several banks.
 *
 * <p>Of the options, a search uses the time limit and the node limit. Unless the time limit ends a
 * search, the plan is the same on every machine.
 */
public final class OptimalPlanner {

  private OptimalPlanner() {}

  /**
   * {@return the cheapest plan for several banks that the search finds; empty if it finds none}
   *
   * @param problem the records and the banks
   * @param options the limits
   */
  public static Optional<BankedAssignment> planBanks(BankedProblem problem, SearchOptions options) {
    return BankedSearch.of(problem, options).run().assignment();
  }
}
