package dev.stowage.plan.shapes.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** A search for buckets: a division of the shapes, and an order of the records for each part. */
final class BucketSearch {

  /** The number of orders that estimate the arena of a bucket. */
  private static final int MAX_ESTIMATORS = 8;

  /** The steps of a fit above which the load estimates the arena of a bucket. */
  private static final long MAX_STEPS_OF_ESTIMATE = 200_000;

  /** The number of orders that the layout of a bucket may start from. */
  private static final int MAX_CANDIDATES = 16;

  /** The weight of a bucket's arena in the local search, beside the mean over its shapes. */
  private static final double ARENA_WEIGHT = 10;

  private final SymbolicProblem problem;
  private final List<DimensionValues> shapes;
  private final ShapePlans search;
  private final SearchBudget budget;

  /**
   * Creates a search.
   *
   * @param problem the records
   * @param shapes the compared shapes
   * @param search their best plans
   * @param budget ends the search
   */
  BucketSearch(
      SymbolicProblem problem,
      List<DimensionValues> shapes,
      ShapePlans search,
      SearchBudget budget) {
    this.problem = problem;
    this.shapes = shapes;
    this.search = search;
    this.budget = budget;
  }

  /** An order for the shapes of a bucket, and its arena. */
  static final class BucketPlan {

    private final SymbolicProblem problem;
    private final int[] order;
    private final long arenaBytes;

    private BucketPlan(SymbolicProblem problem, int[] order, long arenaBytes) {
      this.problem = problem;
      this.order = order;
      this.arenaBytes = arenaBytes;
    }

    /** {@return the records with the shapes of the bucket} */
    SymbolicProblem problem() {
      return problem;
    }

    DimensionRanges ranges() {
      return problem.ranges();
    }

    /** {@return the order, which the caller does not change} */
    int[] order() {
      return order;
    }

    long arenaBytes() {
      return arenaBytes;
    }
  }

  /**
   * {@return the buckets; with one bucket, that of the order for all shapes}
   *
   * <p>After a cancellation, there is one bucket.
   *
   * @param count the largest number of buckets
   * @param oneOrder the order for all shapes
   * @param usedPart the part of the budget that other phases may use
   */
  List<BucketPlan> run(int count, int[] oneOrder, double usedPart) {
    List<DimensionRanges> parts =
        count == 1 || budget.isCancelled() ? List.of(problem.ranges()) : parts(count);
    if (parts.size() == 1) {
      return List.of(plan(problem, oneOrder));
    }
    List<BucketPlan> buckets = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      double part = usedPart + (1 - usedPart) * (i + 1) / parts.size();
      SymbolicProblem ofPart = problem.withRanges(parts.get(i));
      buckets.add(plan(ofPart, order(ofPart, part)));
    }
    return buckets;
  }

  private BucketPlan plan(SymbolicProblem ofBucket, int[] order) {
    BucketArena arena = new BucketArena(problem, search.fit().stack(order), budget::isGraceOver);
    return new BucketPlan(ofBucket, order, arena.bytes(ofBucket.ranges()));
  }

  private List<DimensionRanges> parts(int count) {
    OrderPool pool = search.pool();
    boolean isLarge = search.fit().steps() > MAX_STEPS_OF_ESTIMATE;
    List<RecordStack> estimators =
        pool.ranked().stream()
            .limit(isLarge ? 0 : MAX_ESTIMATORS)
            .map(scored -> search.fit().stack(scored.order()))
            .toList();
    return BucketBorders.of(
        problem.ranges(),
        count,
        shapes,
        IntStream.range(0, shapes.size()).mapToLong(pool::best).toArray(),
        largest -> {
          long[] sizes = problem.bytesAt(largest);
          return estimators.stream()
              .mapToLong(stack -> stack.total(sizes))
              .min()
              .orElseGet(() -> search.fit().lowerBound(sizes));
        },
        budget::isLate);
  }

  /** {@return the order with the smallest arena for a bucket, then with the smallest average} */
  private int[] order(SymbolicProblem ofBucket, double part) {
    DimensionRanges ranges = ofBucket.ranges();
    boolean isLate = budget.isLate();
    PlanProblem largest = isLate ? problem.largestWithin(ranges) : ofBucket.largest();
    long[] largestSizes = ShapeSizes.of(largest);
    long arenaBound;
    if (isLate) {
      arenaBound = search.fit().lowerBound(largestSizes);
    } else {
      SearchResult<OffsetsAssignment> best = search.search(largest, part, 2);
      arenaBound = best.lowerBoundBytes();
    }
    int[] within =
        IntStream.range(0, shapes.size())
            .filter(shape -> ranges.contains(shapes.get(shape)))
            .toArray();
    int guideCount = Math.min(OrderImprovement.MAX_SHAPES, within.length);
    int[] guides =
        IntStream.range(0, guideCount)
            .map(i -> within[(int) ((long) i * within.length / guideCount)])
            .toArray();
    long[] references =
        IntStream.concat(IntStream.of(-1), IntStream.of(guides))
            .mapToLong(guide -> guide < 0 ? arenaBound : search.pool().best(guide))
            .toArray();
    double[] weights = OrderImprovement.weights(guideCount + 1, 1.0 / Math.max(1, guideCount));
    weights[0] = ARENA_WEIGHT;
    ShapeSizes sizes =
        ShapeSizes.of(problem, IntStream.of(guides).mapToObj(guide -> shapes.get(guide)).toList())
            .after(largestSizes);
    OrderImprovement improvement =
        new OrderImprovement(search.fit(), sizes, references, weights, budget);
    return improvement.improve(start(improvement, sizes), part);
  }

  /** {@return the best of the known orders for a bucket} */
  private int[] start(OrderImprovement improvement, ShapeSizes sizes) {
    int[] start = new int[0];
    double smallest = Double.POSITIVE_INFINITY;
    List<OrderPool.Scored> ranked = search.pool().ranked();
    for (OrderPool.Scored scored : ranked.subList(0, Math.min(MAX_CANDIDATES, ranked.size()))) {
      double score = improvement.score(search.fit().totals(scored.order(), sizes));
      if (score < smallest) {
        smallest = score;
        start = scored.order();
      }
    }
    return start;
  }
}
