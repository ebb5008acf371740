package dev.stowage.plan.banks.search;

import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.search.SearchOptions;

/** The strategies that plan several banks. */
public enum BankedStrategy {
  /**
   * Places pinned records, then tied records, then all others, each group by descending size, into
   * the first bank in which {@link dev.stowage.plan.strategy.MemoryStrategy#GREEDY_BY_SIZE} stays
   * within the capacity. From the planner for several banks of ExecuTorch (2026). With one bank,
   * the plan is that of GREEDY_BY_SIZE, except that records of no bytes are at offset 0. O(n log n)
   * for most problems.
   */
  BANKED_GREEDY,

  /** Searches for the cheapest plan for up to ten seconds, with a {@link BankedSearch}. */
  OPTIMAL;

  /**
   * {@return a bank and an offset for every record}
   *
   * @param problem the records and the banks
   * @throws BankShortageException if the strategy finds no plan; the exception names a record that
   *     BANKED_GREEDY cannot place
   */
  public BankedAssignment plan(BankedProblem problem) {
    return switch (this) {
      case BANKED_GREEDY -> BankedGreedy.plan(problem);
      case OPTIMAL ->
          BankedSearch.of(problem, SearchOptions.defaults())
              .run()
              .assignment()
              .orElseGet(() -> BankedGreedy.plan(problem));
    };
  }
}
