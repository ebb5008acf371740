package dev.stowage.plan.greedy;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.planner.MemoryPlanner;
import dev.stowage.plan.planner.Planner;
import java.util.List;
import java.util.stream.Stream;

/** The list of strategies: their planners, which are also the starts of all searches. */
public final class StartPlanners {

  /*
   * A search is never worse than a strategy that finishes in time, because it starts from all
   * planners of this list. Missing are only NAIVE, GREEDY_BEST and OPTIMAL, which are never better
   * than the others or are a search. Of equal plans, a search keeps the first one, so the order of
   * the list matters.
   */

  private static final List<MemoryPlanner> ALL =
      List.of(
          planner("GREEDY_BY_BREADTH", new GreedyByBreadth()),
          planner("GREEDY_BY_SIZE", new GreedyBySize()),
          planner("GREEDY_IN_ORDER", new GreedyInOrder()),
          planner("EQUALITY", new Equality()),
          planner("MINCOSTFLOW", new MinCostFlow()),
          planner("TFLM_GREEDY", new TflmGreedy()));

  public static final MemoryPlanner TFLM_GREEDY = named("TFLM_GREEDY");

  public static final MemoryPlanner GREEDY_BY_SIZE = named("GREEDY_BY_SIZE");

  public static final MemoryPlanner GREEDY_IN_ORDER = named("GREEDY_IN_ORDER");

  private StartPlanners() {}

  private static MemoryPlanner planner(String name, Planner planner) {
    return MemoryPlanner.of(name, planner);
  }

  /** {@return all planners, in the order of the list} */
  public static List<MemoryPlanner> all() {
    return ALL;
  }

  /**
   * {@return the planner of a strategy}
   *
   * @throws AssertionError if the list has no such planner
   */
  public static MemoryPlanner named(String name) {
    return ALL.stream()
        .filter(planner -> planner.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no planner in the list: " + name));
  }

  /** {@return the planners of shared objects that are fast enough for a problem} */
  public static List<MemoryPlanner> ofObjects(PlanProblem problem) {
    return ALL.stream()
        .filter(planner -> planner.plansObjects() && planner.objectsLimit().admits(problem))
        .toList();
  }

  /** {@return the planners with offsets of their own that are fast enough for a problem} */
  public static List<MemoryPlanner> ofOffsets(PlanProblem problem) {
    return possible(problem)
        .filter(planner -> !planner.derivesOffsets() && planner.offsetsLimit().admits(problem))
        .toList();
  }

  /** {@return the planners that plan offsets by the graph itself} */
  public static List<MemoryPlanner> ofGraphs(PlanProblem problem) {
    return possible(problem).filter(MemoryPlanner::offsetsRespectGraphs).toList();
  }

  private static Stream<MemoryPlanner> possible(PlanProblem problem) {
    return ALL.stream().filter(planner -> planner.placesPins() || !problem.hasPins());
  }
}
