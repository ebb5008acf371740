package dev.stowage.plan.search;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.greedy.Equality;
import dev.stowage.plan.greedy.GreedyByBreadth;
import dev.stowage.plan.greedy.GreedyBySize;
import dev.stowage.plan.greedy.GreedyInOrder;
import dev.stowage.plan.greedy.MinCostFlow;
import dev.stowage.plan.greedy.Naive;
import dev.stowage.plan.greedy.TflmGreedy;
import dev.stowage.plan.planner.MemoryPlanner;
import java.util.List;

/** The planners that provide the first plans of a search. */
final class StartPlanners {

  /*
   * A search is never worse than a strategy that finishes in time, so every new strategy needs a
   * line here, unless it takes the best of others. Of equal plans, the search keeps the first one,
   * so the order of the lines matters.
   */

  static final MemoryPlanner TFLM_GREEDY = MemoryPlanner.of("TFLM_GREEDY", new TflmGreedy());

  static final MemoryPlanner GREEDY_BY_SIZE =
      MemoryPlanner.of("GREEDY_BY_SIZE", new GreedyBySize());

  static final MemoryPlanner GREEDY_IN_ORDER =
      MemoryPlanner.of("GREEDY_IN_ORDER", new GreedyInOrder());

  private static final List<MemoryPlanner> OF_OBJECTS =
      List.of(
          MemoryPlanner.of("NAIVE", new Naive()),
          MemoryPlanner.of("EQUALITY", new Equality()),
          GREEDY_IN_ORDER,
          MemoryPlanner.of("GREEDY_BY_BREADTH", new GreedyByBreadth()),
          GREEDY_BY_SIZE,
          MemoryPlanner.of("MINCOSTFLOW", new MinCostFlow()));

  private StartPlanners() {}

  /** {@return the planners of shared objects that are fast enough for a problem} */
  static List<MemoryPlanner> ofObjects(PlanProblem problem) {
    return OF_OBJECTS.stream().filter(planner -> planner.objectsLimit().admits(problem)).toList();
  }
}
