package dev.stowage.plan.strategy;

import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.search.BankShortageException;
import dev.stowage.plan.banks.search.BankedPlanner;
import dev.stowage.plan.search.SearchOptions;
import java.util.Optional;

/**
 * Plans several banks.
 *
 * <p>Of the options, a search uses the time limit and the node limit. Unless the time limit ends a
 * search, the plan is the same on every machine.
 */
public final class BankPlanner {

  private BankPlanner() {}

  /**
   * {@return a plan for several banks; empty if a record fits into no bank}
   *
   * <p>The cheapest of three divisions among the banks, each bank with the smallest arena that a
   * search finds. Another division may cost less.
   *
   * @param problem the records and the banks
   * @param options the limits of the search in each bank
   */
  public static Optional<BankedAssignment> plan(BankedProblem problem, SearchOptions options) {
    try {
      return Optional.of(BankedPlanner.of(problem, options).run().assignment());
    } catch (BankShortageException e) {
      return Optional.empty();
    }
  }
}
