package dev.stowage.plan.shapes.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.search.SearchResult;
import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.LayoutChecker;
import dev.stowage.plan.shapes.LayoutOffset;
import dev.stowage.plan.shapes.ShapeLayout;
import dev.stowage.plan.shapes.SymbolicProblem;
import dev.stowage.plan.shapes.SymbolicRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * A search for layouts that are valid for all shapes of a problem, with small totals for each
 * shape.
 *
 * {@snippet :
 * LayoutSearchResult result = LayoutSearch.of(problem, LayoutOptions.defaults()).run();
 * long[] offsets = result.layout().offsets(DimensionValues.of("batch", 8));
 * }
 *
 * <p>A layout says for each two records that conflict which one lies below the other. The search
 * tries the orders of the best plans of single shapes, and improves the best ones by a local search
 * over many shapes at once. It minimizes the average excess over the best plan of each shape, and
 * then the maximum excess.
 *
 * <p>With buckets, the search divides the shapes so that the arenas of the buckets have the
 * smallest average excess. The layout of a bucket has the smallest arena found, and then the
 * smallest average.
 *
 * <p>Averages are over all shapes if there are at most 1,000; otherwise over a sample of 1,000 that
 * includes the corners. The layouts are valid for all shapes in any case.
 *
 * <p>Unless time or {@link #cancel} ends the search, the result is the same on every machine. A
 * search runs once, in the thread that calls {@link #run}. Any thread may call {@link #cancel}.
 */
public final class LayoutSearch {

  /*
   * The parts of the time: the plan for the maximum, that for mean sizes, the best plans of single
   * shapes, the one layout, and the buckets.
   */
  private static final double MAXIMUM_PART = 0.1;
  private static final double MEAN_PART = 0.2;
  private static final double SHAPES_PART = 0.55;
  private static final double LAYOUT_PART = 0.75;

  /** The number of records; formulas take memory for each pair of records. */
  private static final int MAX_RECORDS = 20_000;

  /** The load in the problem of mean sizes, approximately. */
  private static final long MEAN_UNITS = 1_000_000;

  /** The number of orders that the local search starts from. */
  private static final int MAX_STARTS = 3;

  private final SymbolicProblem problem;
  private final LayoutOptions options;
  private final SearchBudget budget;
  private final List<DimensionValues> shapes;
  private volatile Optional<ShapePlans> plans = Optional.empty();
  private boolean hasRun;

  private LayoutSearch(SymbolicProblem problem, LayoutOptions options, LongSupplier nanoTime) {
    this.problem = problem;
    this.options = options;
    budget = new SearchBudget(options.limits().timeLimit(), options.limits().nodeLimit(), nanoTime);
    shapes = ShapeSample.of(problem.ranges());
  }

  /**
   * {@return a search, which {@link #run} starts}
   *
   * @param problem the records
   * @param options the limits and the number of buckets
   * @throws IllegalArgumentException if the problem has more than 20,000 records
   */
  public static LayoutSearch of(SymbolicProblem problem, LayoutOptions options) {
    return of(problem, options, System::nanoTime);
  }

  /**
   * {@return a search with another clock}
   *
   * @param nanoTime a clock in nanoseconds, as {@link System#nanoTime}
   */
  static LayoutSearch of(SymbolicProblem problem, LayoutOptions options, LongSupplier nanoTime) {
    if (problem.records().size() > MAX_RECORDS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a search for layouts supports up to %,d records: records=%,d",
              MAX_RECORDS,
              problem.records().size()));
    }
    return new LayoutSearch(problem, options, nanoTime);
  }

  /** Ends the search soon; the result has the best layouts so far. Any thread may call this. */
  public void cancel() {
    budget.cancel();
    plans.ifPresent(ShapePlans::cancel);
  }

  /**
   * Runs the search.
   *
   * @return the best layouts
   * @throws IllegalStateException if the search has run
   */
  public LayoutSearchResult run() {
    if (hasRun) {
      throw new IllegalStateException("a search runs only once: create another LayoutSearch");
    }
    hasRun = true;
    ShapePlans search = new ShapePlans(problem, shapes, budget);
    plans = Optional.of(search);
    PlanProblem largest = problem.largest();
    SearchResult<OffsetsAssignment> maximum = search.search(largest, MAXIMUM_PART, 1);
    if (!budget.isLate()) {
      search.search(mean(search), MEAN_PART, 1);
      search.searchAll(MEAN_PART, SHAPES_PART);
    }
    OrderPool.Scored one = oneOrder(search);
    List<BucketSearch.BucketPlan> buckets =
        new BucketSearch(problem, shapes, search, budget)
            .run(options.buckets(), one.order(), LAYOUT_PART);
    return result(search, maximumPlan(search, largest, maximum.assignment()), one, buckets);
  }

  /**
   * {@return a problem whose sizes are the means over the compared shapes, as parts of the lower
   * bound of each shape}
   *
   * <p>The order of a plan for it is a compromise between the shapes.
   */
  private PlanProblem mean(ShapePlans search) {
    double[] sums = new double[problem.records().size()];
    int shape = 0;
    for (ShapeSizes block : search.blocks()) {
      for (int i = 0; i < block.shapeCount(); i++) {
        double scale =
            (double) MEAN_UNITS / shapes.size() / Math.max(1, search.lowerBound(shape++));
        for (int record = 0; record < sums.length; record++) {
          sums[record] += block.ofRecord(record)[i] * scale;
        }
      }
    }
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int record = 0; record < sums.length; record++) {
      SymbolicRecord symbolic = problem.records().get(record);
      records.add(
          TensorUsageRecord.of((long) sums[record], symbolic.firstTask(), symbolic.lastTask())
              .withGaps(symbolic.gaps()));
    }
    return PlanProblem.of(records);
  }

  /** {@return the order with the smallest average excess} */
  private OrderPool.Scored oneOrder(ShapePlans search) {
    OrderPool pool = search.pool();
    double part = options.buckets() == 1 ? 1 : LAYOUT_PART;
    int next = 0;
    while (next < Math.min(MAX_STARTS, pool.orders().size()) && !budget.isOver(part)) {
      double best = pool.averageExcess(pool.ranked().getFirst().totals());
      if (best == 0) {
        break;
      }
      OrderPool.Scored start = pool.ranked().get(next);
      int[] guides = guides(pool, start.totals());
      OrderImprovement improvement =
          new OrderImprovement(
              search.fit(),
              ShapeSizes.of(
                  problem, Arrays.stream(guides).mapToObj(guide -> shapes.get(guide)).toList()),
              Arrays.stream(guides).mapToLong(pool::best).toArray(),
              OrderImprovement.weights(guides.length, 1.0 / guides.length),
              budget);
      pool.add(improvement.improve(start.order(), part));
      // A better order has its largest excesses at other shapes.
      boolean isBetter = pool.averageExcess(pool.ranked().getFirst().totals()) < best;
      next = isBetter ? 0 : next + 1;
    }
    return pool.ranked().getFirst();
  }

  /** {@return the compared shapes that guide the local search: even ones, and those of excess} */
  private static int[] guides(OrderPool pool, long[] totals) {
    int count = totals.length;
    IntStream even =
        IntStream.range(0, Math.min(count, OrderImprovement.MAX_SHAPES * 2 / 3))
            .map(i ->
                (int) ((long) i * count / Math.min(count, OrderImprovement.MAX_SHAPES * 2 / 3)));
    IntStream worst =
        IntStream.range(0, count)
            .boxed()
            .sorted((a, b) ->
                Double.compare(
                    Excess.of(totals[b], pool.best(b)), Excess.of(totals[a], pool.best(a))))
            .limit(OrderImprovement.MAX_SHAPES / 3)
            .mapToInt(i -> i);
    return IntStream.concat(even, worst).distinct().toArray();
  }

  private LayoutSearchResult result(
      ShapePlans search,
      OffsetsAssignment maximumPlan,
      OrderPool.Scored one,
      List<BucketSearch.BucketPlan> bucketPlans) {
    ShapeLayout layout = layout(search, problem, one.order());
    List<LayoutBucket> buckets = new ArrayList<>();
    ComparedShape[] compared = new ComparedShape[shapes.size()];
    for (BucketSearch.BucketPlan bucket : bucketPlans) {
      boolean isAlone = bucketPlans.size() == 1;
      buckets.add(
          new LayoutBucket(
              isAlone ? layout : layout(search, bucket.problem(), bucket.order()),
              bucket.arenaBytes()));
      compare(search, one, bucket, compared);
    }
    return new LayoutSearchResult(
        new LayoutBucket(
            ShapeLayout.constant(problem, maximumPlan.offsets()), maximumPlan.totalBytes()),
        layout,
        buckets,
        List.of(compared),
        problem.ranges().shapeCount() <= ShapeSample.MAX_SHAPES,
        !budget.isCancelled());
  }

  /** Compares the plans of the shapes of a bucket. */
  private void compare(
      ShapePlans search,
      OrderPool.Scored one,
      BucketSearch.BucketPlan bucket,
      ComparedShape[] compared) {
    int[] within =
        IntStream.range(0, shapes.size())
            .filter(shape -> bucket.ranges().contains(shapes.get(shape)))
            .toArray();
    Optional<RecordStack> other =
        Arrays.equals(bucket.order(), one.order())
            ? Optional.empty()
            : Optional.of(search.fit().stack(bucket.order()));
    for (int shape : within) {
      long layoutBytes = one.totals()[shape];
      long bucketBytes =
          other.map(stack -> stack.total(problem.bytesAt(shapes.get(shape)))).orElse(layoutBytes);
      compared[shape] =
          new ComparedShape(
              shapes.get(shape),
              search.lowerBound(shape),
              Math.min(search.pool().best(shape), Math.min(layoutBytes, bucketBytes)),
              layoutBytes,
              bucketBytes,
              bucket.arenaBytes());
    }
  }

  /** {@return the smallest plan for the largest size of each record, of one and of all orders} */
  private static OffsetsAssignment maximumPlan(
      ShapePlans search, PlanProblem largest, OffsetsAssignment first) {
    return search
        .bestKnown(largest, ShapeSizes.of(largest))
        .filter(known -> known.totalBytes() < first.totalBytes())
        .orElse(first);
  }

  /**
   * {@return the layout of an order, with short expressions if there is time and the checker
   * certifies them}
   */
  private ShapeLayout layout(ShapePlans search, SymbolicProblem problem, int[] order) {
    List<LayoutOffset> formulas = search.fit().formulas(order);
    ShapeLayout plain = ShapeLayout.of(problem, formulas);
    if (budget.isGraceOver()) {
      return plain;
    }
    ShapeLayout shortened = ShapeLayout.of(problem, ShortFormulas.of(problem, formulas, order));
    return LayoutChecker.violation(shortened).isEmpty() ? shortened : plain;
  }
}
