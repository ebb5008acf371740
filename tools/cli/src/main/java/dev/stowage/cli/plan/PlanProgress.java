package dev.stowage.cli.plan;

import dev.stowage.plan.search.SearchProgress;
import dev.stowage.plan.strategy.MemoryStrategy;

/** The listener for the progress of planning. */
public interface PlanProgress {

  /**
   * Called before a strategy plans.
   *
   * @param strategy the strategy
   */
  void planning(MemoryStrategy strategy);

  /**
   * Called from time to time during a search.
   *
   * @param progress the best plan and the proved bound so far
   */
  default void searching(SearchProgress progress) {}

  /**
   * Called before a phase that is not the work of one strategy.
   *
   * @param name a phrase for the user
   */
  default void phase(String name) {}

  /** Called before the search for shared objects. */
  default void searchingObjects() {}
}
