package dev.stowage.cli.plan;

import dev.stowage.plan.search.SearchProgress;
import dev.stowage.plan.strategy.MemoryStrategy;

/** The listener for the progress of planning. */
public interface PlanProgress {

  /** Called before a strategy plans. */
  void planning(MemoryStrategy strategy);

  /**
   * Called from time to time during a search.
   *
   * @param progress the best plan and the proved bound so far
   */
  default void searching(SearchProgress progress) {}

  /** Called before a phase that is not the work of one strategy. */
  default void phase(String name) {}
}
