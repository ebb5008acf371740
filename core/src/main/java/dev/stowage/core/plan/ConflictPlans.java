package dev.stowage.core.plan;

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

  private final PlanProblem problem;
  private final PlanProblem widened;

  /** No plan is smaller. */
  private final long lowerBytes;

  /** Before the first plan, one that is larger than any. */
  private OffsetsAssignment best = OffsetsAssignment.of(new long[0], Long.MAX_VALUE);

  ConflictPlans(PlanProblem problem, ConflictForm form) {
    this.problem = problem;
    widened = form.widened();
    lowerBytes =
        Math.max(OffsetsSearch.lowerBytes(form.withoutGaps()), form.bounds().offsetsBytes());
  }

  /**
   * {@return for all strategies that plan with a graph in another way than without, what makes
   * their plans, unless it is told to stop; those first that plan exactly}
   */
  static List<Function<BooleanSupplier, OffsetsAssignment>> ofStrategies(
      PlanProblem problem, ConflictForm form) {
    List<Function<BooleanSupplier, OffsetsAssignment>> makers = new ArrayList<>();
    if (!problem.hasPins()) {
      makers.add(stop -> MemoryStrategy.GREEDY_IN_ORDER.planOffsets(problem, stop));
    }
    if (form.isWidenedExact()) {
      return makers; // the search makes the other plans of the widened problem
    }
    makers.add(stop -> MemoryStrategy.TFLM_GREEDY.planOffsets(problem, stop));
    if (!problem.hasPins()) {
      makers.add(stop -> MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem, stop));
      for (MemoryStrategy strategy : MemoryStrategy.values()) {
        if (strategy != MemoryStrategy.OPTIMAL
            && strategy.plans(AssignmentKind.OBJECTS)
            && strategy.comparisonLimit(AssignmentKind.OBJECTS).admits(problem)) {
          makers.add(stop -> strategy.planObjects(problem, stop).toOffsets(problem));
        }
      }
    }
    return makers;
  }

  /** Keeps a plan of the problem if it is smaller than what there is; else it is refused. */
  void offer(OffsetsAssignment plan) {
    if (plan.totalBytes() < best.totalBytes()) {
      OffsetsSearch.refuseInvalid(problem, plan);
      best = plan;
    }
  }

  /**
   * {@return the best plan, after a search on widened lifetimes if that can find a better one}
   *
   * @param search searches
   * @param capacityBytes what is good enough
   * @param endOfStarts why not all strategies have planned; else {@code NOT_EXHAUSTIVE}
   */
  SearchResult run(
      Supplier<SearchResult> search, OptionalLong capacityBytes, SearchResult.End endOfStarts) {
    SearchResult.End end = endOfStarts;
    long nodes = 0;
    if (best.totalBytes() > Math.max(OffsetsSearch.lowerBytes(widened), capacityBytes.orElse(0))) {
      SearchResult found = search.get();
      nodes = found.nodes();
      if (found.assignment().totalBytes() < best.totalBytes()) {
        best = found.assignment();
      }
      end = found.end();
    }
    return new SearchResult(best, lowerBytes, end(end, capacityBytes), nodes);
  }

  /**
   * {@return the reason that the search ended; its proof does not hold beyond widened lifetimes}
   */
  private SearchResult.End end(SearchResult.End ofWidened, OptionalLong capacityBytes) {
    if (best.totalBytes() == lowerBytes) {
      return SearchResult.End.OPTIMAL;
    }
    if (capacityBytes.isPresent() && best.totalBytes() <= capacityBytes.getAsLong()) {
      return SearchResult.End.CAPACITY_REACHED;
    }
    return switch (ofWidened) {
      case TIME_LIMIT, NODE_LIMIT, CANCELLED -> ofWidened;
      default -> SearchResult.End.NOT_EXHAUSTIVE;
    };
  }
}
