package dev.stowage.plan.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.conflict.ConflictForm;
import dev.stowage.plan.greedy.StartPlanners;
import dev.stowage.plan.planner.MemoryPlanner;
import dev.stowage.plan.time.TaskLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The search for offsets of a problem with a {@link ReuseGraph} if its exact form is too large.
 *
 * <p>It runs on widened lifetimes. Strategies that use the graph may therefore have smaller plans.
 */
final class ConflictPlans {

  private final PlanProblem widened;

  /** A lower bound of every plan. */
  private final long lowerBytes;

  private OffsetsAssignment best;

  /**
   * Creates a search that starts from {@code best}.
   *
   * @throws java.util.concurrent.CancellationException if {@code form} is stopped
   */
  ConflictPlans(PlanProblem problem, ConflictForm form, OffsetsAssignment best) {
    this.best = best;
    widened = form.widened();
    lowerBytes = Math.max(TaskLoad.minArenaBytes(form.withoutGaps()), form.bounds().offsetsBytes());
  }

  /** {@return the strategies that plan offsets by the graph itself} */
  static List<Function<BooleanSupplier, OffsetsAssignment>> ofExactStrategies(PlanProblem problem) {
    List<Function<BooleanSupplier, OffsetsAssignment>> makers = new ArrayList<>();
    for (MemoryPlanner planner : StartPlanners.ofGraphs(problem)) {
      makers.add(stop -> planner.planOffsets(problem, stop));
    }
    return makers;
  }

  /**
   * {@return the strategies of shared objects, laid out as an arena; none if the widened problem is
   * exact, because the search then makes these plans itself}
   */
  static List<Function<BooleanSupplier, OffsetsAssignment>> ofObjects(
      PlanProblem problem, ConflictForm form) {
    List<Function<BooleanSupplier, OffsetsAssignment>> makers = new ArrayList<>();
    if (!form.isWidenedExact() && !problem.hasPins()) {
      for (MemoryPlanner planner : StartPlanners.ofObjects(problem)) {
        makers.add(stop -> planner.planObjects(problem, stop).toOffsets(problem));
      }
    }
    return makers;
  }

  /**
   * Searches widened lifetimes if they may have a smaller plan, and {@return the best plan}
   *
   * @param search the search on widened lifetimes
   * @param capacityBytes the size of a plan that is small enough
   * @param endOfStarts the limit that stopped the strategies; if none did, {@code NOT_EXHAUSTIVE}
   */
  SearchResult<OffsetsAssignment> run(
      Supplier<SearchResult<OffsetsAssignment>> search,
      OptionalLong capacityBytes,
      SearchEnd endOfStarts) {
    SearchEnd end = endOfStarts;
    long nodes = 0;
    if (best.totalBytes() > Math.max(TaskLoad.minArenaBytes(widened), capacityBytes.orElse(0))) {
      SearchResult<OffsetsAssignment> found = search.get();
      nodes = found.nodes();
      if (found.assignment().totalBytes() < best.totalBytes()) {
        best = found.assignment();
      }
      end = found.end();
    }
    return new SearchResult<>(best, lowerBytes, end(end, capacityBytes), nodes);
  }

  /** {@return the reason that the search ended; a proof on widened lifetimes does not count} */
  private SearchEnd end(SearchEnd ofWidened, OptionalLong capacityBytes) {
    if (best.totalBytes() == lowerBytes) {
      return SearchEnd.OPTIMAL;
    }
    if (capacityBytes.isPresent() && best.totalBytes() <= capacityBytes.getAsLong()) {
      return SearchEnd.CAPACITY_REACHED;
    }
    return ofWidened.onWidenedLifetimes();
  }
}
