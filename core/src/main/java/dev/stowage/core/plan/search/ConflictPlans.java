package dev.stowage.core.plan.search;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.ReuseGraph;
import dev.stowage.core.plan.conflict.ConflictForm;
import dev.stowage.core.plan.spi.MemoryPlanner;
import dev.stowage.core.plan.time.TaskLoad;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The plans of a problem with a {@link ReuseGraph} that is searched on widened lifetimes only,
 * where the plans of strategies may be smaller than any that the search can find.
 */
final class ConflictPlans {

  private final PlanProblem widened;

  /** No plan is smaller. */
  private final long lowerBytes;

  private OffsetsAssignment best;

  /**
   * The plans of a problem, the best of which so far is {@code best}.
   *
   * @throws java.util.concurrent.CancellationException if the work on the form is to stop
   */
  ConflictPlans(PlanProblem problem, ConflictForm form, OffsetsAssignment best) {
    this.best = best;
    widened = form.widened();
    lowerBytes = Math.max(TaskLoad.minArenaBytes(form.withoutGaps()), form.bounds().offsetsBytes());
  }

  /** {@return the strategies that plan offsets exactly with a graph} */
  static List<Function<BooleanSupplier, OffsetsAssignment>> ofExactStrategies(PlanProblem problem) {
    List<Function<BooleanSupplier, OffsetsAssignment>> makers = new ArrayList<>();
    makers.add(stop -> StartPlanners.TFLM_GREEDY.planOffsets(problem, stop));
    if (!problem.hasPins()) {
      makers.add(stop -> StartPlanners.GREEDY_BY_SIZE.planOffsets(problem, stop));
      makers.add(stop -> StartPlanners.GREEDY_IN_ORDER.planOffsets(problem, stop));
    }
    return makers;
  }

  /**
   * {@return the strategies of objects, with a graph; none if the search makes their plans, as the
   * widened problem is exact}
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
   * {@return the best plan, after a search on widened lifetimes if that can find a better one}
   *
   * @param search searches
   * @param capacityBytes what is good enough
   * @param endOfStarts why not all strategies have planned; else {@code NOT_EXHAUSTIVE}
   */
  OffsetsSearchResult run(
      Supplier<OffsetsSearchResult> search, OptionalLong capacityBytes, SearchEnd endOfStarts) {
    SearchEnd end = endOfStarts;
    long nodes = 0;
    if (best.totalBytes() > Math.max(TaskLoad.minArenaBytes(widened), capacityBytes.orElse(0))) {
      OffsetsSearchResult found = search.get();
      nodes = found.nodes();
      if (found.assignment().totalBytes() < best.totalBytes()) {
        best = found.assignment();
      }
      end = found.end();
    }
    return new OffsetsSearchResult(best, lowerBytes, end(end, capacityBytes), nodes);
  }

  /**
   * {@return the reason that the search ended; its proof does not hold beyond widened lifetimes}
   */
  private SearchEnd end(SearchEnd ofWidened, OptionalLong capacityBytes) {
    if (best.totalBytes() == lowerBytes) {
      return SearchEnd.OPTIMAL;
    }
    if (capacityBytes.isPresent() && best.totalBytes() <= capacityBytes.getAsLong()) {
      return SearchEnd.CAPACITY_REACHED;
    }
    return switch (ofWidened) {
      case TIME_LIMIT, NODE_LIMIT, CANCELLED -> ofWidened;
      default -> SearchEnd.NOT_EXHAUSTIVE;
    };
  }
}
