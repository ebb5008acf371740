package dev.stowage.plan.shapes.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The best plans of the compared shapes, each for its shape alone, with proved lower bounds. */
final class ShapePlans {

  /*
   * Plans of different shapes often have the same order. Each plan found is therefore a candidate for
   * all shapes, and a shape whose best candidate equals its lower bound needs no search. The others
   * are searched in turn, the one with the largest excess over its bound first.
   */

  /** The time of the search for one shape, except for the first ones. */
  private static final Duration LONGEST_SEARCH = Duration.ofSeconds(1);

  /** The number of shapes of one fit: the ends of records for these fit into the caches. */
  private static final int SHAPES_AT_A_TIME = 64;

  private final SymbolicProblem problem;
  private final List<DimensionValues> shapes;

  /** The sizes of all shapes. */
  private final List<ShapeSizes> blocks = new ArrayList<>();

  private final OrderFit fit;
  private final OrderPool pool;
  private final long[] lowerBounds;
  private final boolean[] isSearched;
  private final SearchBudget budget;
  private volatile Optional<OffsetsSearch> running = Optional.empty();

  ShapePlans(SymbolicProblem problem, List<DimensionValues> shapes, SearchBudget budget) {
    this.problem = problem;
    this.shapes = shapes;
    this.budget = budget;
    fit = new OrderFit(problem);
    lowerBounds = new long[shapes.size()];
    isSearched = new boolean[shapes.size()];
    for (int first = 0; first < lowerBounds.length; first += SHAPES_AT_A_TIME) {
      int next = Math.min(lowerBounds.length, first + SHAPES_AT_A_TIME);
      ShapeSizes block = ShapeSizes.of(problem, shapes.subList(first, next));
      for (int i = first; i < next; i++) {
        lowerBounds[i] = fit.lowerBound(block.ofShape(i - first));
      }
      blocks.add(block);
    }
    pool = new OrderPool(fit, blocks);
  }

  /** Ends the search that runs now. */
  void cancel() {
    running.ifPresent(OffsetsSearch::cancel);
  }

  OrderFit fit() {
    return fit;
  }

  /** {@return the sizes of the records for the compared shapes, in blocks} */
  List<ShapeSizes> blocks() {
    return blocks;
  }

  OrderPool pool() {
    return pool;
  }

  long lowerBound(int shape) {
    return lowerBounds[shape];
  }

  /** {@return the shapes whose best plan may not be optimal} */
  List<Integer> open() {
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < lowerBounds.length; i++) {
      if (pool.best(i) > lowerBounds[i]) {
        open.add(i);
      }
    }
    return open;
  }

  /**
   * Searches plans for the compared shapes until all are optimal or a part of the budget is used.
   *
   * @param startPart the part of the budget for the first shape alone
   * @param part the part of the budget for all shapes
   */
  void searchAll(double startPart, double part) {
    if (budget.isLate()) {
      return;
    }
    searchShape(0, startPart, Long.MAX_VALUE);
    while (true) {
      List<Integer> open = open();
      open.removeIf(shape -> isSearched[shape]);
      if (open.isEmpty() || budget.isOver(part)) {
        return;
      }
      int worst = open.getFirst();
      for (int shape : open) {
        if (Excess.of(pool.best(shape), lowerBounds[shape])
            > Excess.of(pool.best(worst), lowerBounds[worst])) {
          worst = shape;
        }
      }
      searchShape(worst, part, open.size());
    }
  }

  private void searchShape(int shape, double part, long openShapes) {
    isSearched[shape] = true;
    PlanProblem atShape = problem.at(shapes.get(shape));
    long share = openShapes == Long.MAX_VALUE ? 1 : openShapes;
    SearchResult<OffsetsAssignment> result = search(atShape, part, share);
    lowerBounds[shape] = Math.max(lowerBounds[shape], result.lowerBoundBytes());
  }

  /** {@return the result of a search, whose order is added to the pool} */
  SearchResult<OffsetsAssignment> search(PlanProblem atShape, double part, long shares) {
    Duration left = budget.timeLeft(part).dividedBy(Math.min(shares, 16));
    Duration limit = shares > 1 && left.compareTo(LONGEST_SEARCH) > 0 ? LONGEST_SEARCH : left;
    OffsetsSearch search =
        OffsetsSearch.of(
            atShape,
            SearchOptions.defaults()
                .withTimeLimit(limit)
                .withNodeLimit(budget.nodesLeft(part) / shares));
    long[] atShapeSizes = ShapeSizes.of(atShape);
    bestKnown(atShape, atShapeSizes).ifPresent(search::offer);
    running = Optional.of(search);
    if (budget.isCancelled()) {
      search.cancel();
    }
    SearchResult<OffsetsAssignment> result = search.run();
    running = Optional.empty();
    budget.spend(result.nodes() + 1);
    pool.add(OrderFit.orderOf(result.assignment().offsets(), atShapeSizes));
    return result;
  }

  /** {@return the smallest fit of the known orders} */
  Optional<OffsetsAssignment> bestKnown(PlanProblem atShape, long[] ofRecords) {
    Optional<RecordStack> best = Optional.empty();
    long smallest = Long.MAX_VALUE;
    for (OrderPool.Scored scored : pool.orders()) {
      RecordStack stack = fit.stack(scored.order());
      long total = stack.total(ofRecords);
      if (best.isEmpty() || total < smallest) {
        best = Optional.of(stack);
        smallest = total;
      }
    }
    return best.map(stack -> OffsetsAssignment.inSmallestArena(atShape, stack.offsets(ofRecords)));
  }
}
