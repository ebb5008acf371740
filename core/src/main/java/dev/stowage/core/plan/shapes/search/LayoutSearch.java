package dev.stowage.core.plan.shapes.search;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.search.OffsetsSearchResult;
import dev.stowage.core.plan.shapes.DimensionRanges;
import dev.stowage.core.plan.shapes.DimensionValues;
import dev.stowage.core.plan.shapes.LayoutChecker;
import dev.stowage.core.plan.shapes.LayoutOffset;
import dev.stowage.core.plan.shapes.ShapeLayout;
import dev.stowage.core.plan.shapes.SymbolicProblem;
import dev.stowage.core.plan.shapes.SymbolicRecord;
import dev.stowage.core.plan.time.TaskLoad;
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

  /** The number of shapes of the local search. */
  private static final int MAX_GUIDES = 24;

  /** The number of orders that the local search starts from. */
  private static final int MAX_STARTS = 3;

  /** The number of steps without progress that end the local search, for each record. */
  private static final long PATIENCE_PER_RECORD = 100;

  /** The number of orders that estimate the arena of a bucket. */
  private static final int MAX_ESTIMATORS = 8;

  /** The steps of a fit above which the load estimates the arena of a bucket. */
  private static final long MAX_STEPS_OF_ESTIMATE = 200_000;

  /** The number of orders that the layout of a bucket may start from. */
  private static final int MAX_CANDIDATES = 16;

  /** The weight of a bucket's arena in the local search, beside the mean over its shapes. */
  private static final double ARENA_WEIGHT = 10;

  private final SymbolicProblem problem;
  private final LayoutOptions options;
  private final SearchBudget budget;
  private final List<DimensionValues> shapes;
  private volatile Optional<ShapePlans> plans = Optional.empty();
  private boolean hasRun;

  private LayoutSearch(SymbolicProblem problem, LayoutOptions options, LongSupplier nanoTime) {
    this.problem = problem;
    this.options = options;
    budget = new SearchBudget(options.timeLimit(), options.nodeLimit(), nanoTime);
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
    if (problem.records().size() > MAX_RECORDS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a search for layouts supports up to %,d records: records=%,d",
              MAX_RECORDS,
              problem.records().size()));
    }
    return new LayoutSearch(problem, options, System::nanoTime);
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
    OffsetsSearchResult maximum = search.search(largest, MAXIMUM_PART, 1);
    search.search(mean(search), MEAN_PART, 1);
    search.searchAll(MEAN_PART, SHAPES_PART);
    int[] order = oneOrder(search);
    List<BucketPlan> buckets = buckets(search, order);
    return result(search, maximum, order, buckets);
  }

  /** An order for the shapes of a bucket, and its arena. */
  private static final class BucketPlan {

    private final DimensionRanges ranges;
    private final int[] order;
    private final long arenaBytes;

    BucketPlan(DimensionRanges ranges, int[] order, long arenaBytes) {
      this.ranges = ranges;
      this.order = order;
      this.arenaBytes = arenaBytes;
    }
  }

  /**
   * {@return a problem whose sizes are the means over the compared shapes, as parts of the lower
   * bound of each shape}
   *
   * <p>The order of a plan for it is a compromise between the shapes.
   */
  private PlanProblem mean(ShapePlans search) {
    double[] sums = new double[problem.records().size()];
    for (int i = 0; i < shapes.size(); i++) {
      long[] sizes = ShapeSizes.of(problem.at(shapes.get(i)));
      double scale = (double) MEAN_UNITS / shapes.size() / Math.max(1, search.lowerBound(i));
      for (int record = 0; record < sizes.length; record++) {
        sums[record] += sizes[record] * scale;
      }
    }
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int record = 0; record < sums.length; record++) {
      SymbolicRecord symbolic = problem.records().get(record);
      records.add(
          TensorUsageRecord.of((long) sums[record], symbolic.firstTask(), symbolic.lastTask())
              .withGaps(symbolic.constraints().gaps()));
    }
    return PlanProblem.of(records);
  }

  /** {@return the order with the smallest average excess} */
  private int[] oneOrder(ShapePlans search) {
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
              sizes(Arrays.stream(guides).mapToObj(guide -> shapes.get(guide)).toList()),
              Arrays.stream(guides).mapToLong(pool::best).toArray(),
              weights(guides.length, 1.0 / guides.length),
              budget);
      pool.add(improvement.improve(start.order(), patience(), part));
      // A better order has its largest excesses at other shapes.
      boolean isBetter = pool.averageExcess(pool.ranked().getFirst().totals()) < best;
      next = isBetter ? 0 : next + 1;
    }
    return pool.ranked().getFirst().order();
  }

  private long patience() {
    return PATIENCE_PER_RECORD * problem.records().size();
  }

  private static double[] weights(int count, double weight) {
    double[] weights = new double[count];
    Arrays.fill(weights, weight);
    return weights;
  }

  /** {@return the compared shapes that guide the local search: even ones, and those of excess} */
  private static int[] guides(OrderPool pool, long[] totals) {
    int count = totals.length;
    IntStream even =
        IntStream.range(0, Math.min(count, MAX_GUIDES * 2 / 3))
            .map(i -> (int) ((long) i * count / Math.min(count, MAX_GUIDES * 2 / 3)));
    IntStream worst =
        IntStream.range(0, count)
            .boxed()
            .sorted((a, b) ->
                Double.compare(
                    Excess.of(totals[b], pool.best(b)), Excess.of(totals[a], pool.best(a))))
            .limit(MAX_GUIDES / 3)
            .mapToInt(i -> i);
    return IntStream.concat(even, worst).distinct().toArray();
  }

  private ShapeSizes sizes(List<DimensionValues> ofShapes) {
    return ShapeSizes.of(
        ofShapes.stream().map(shape -> ShapeSizes.of(problem.at(shape))).toList(),
        problem.records().size());
  }

  private List<BucketPlan> buckets(ShapePlans search, int[] oneOrder) {
    if (options.buckets() == 1) {
      long arena = new BucketArena(problem, search.fit()).bytes(oneOrder, problem.ranges());
      return List.of(new BucketPlan(problem.ranges(), oneOrder, arena));
    }
    OrderPool pool = search.pool();
    boolean isLarge = search.fit().steps() > MAX_STEPS_OF_ESTIMATE;
    List<OrderPool.Scored> estimators =
        isLarge
            ? List.of()
            : List.copyOf(pool.ranked().subList(0, Math.min(MAX_ESTIMATORS, pool.orders().size())));
    List<DimensionRanges> parts =
        BucketBorders.of(
            problem.ranges(),
            options.buckets(),
            shapes,
            IntStream.range(0, shapes.size()).mapToLong(pool::best).toArray(),
            largest -> {
              PlanProblem atLargest = problem.at(largest);
              long[] sizes = ShapeSizes.of(atLargest);
              return estimators.stream()
                  .mapToLong(scored -> total(search, scored.order(), sizes))
                  .min()
                  .orElseGet(() -> TaskLoad.minArenaBytes(atLargest));
            });
    List<BucketPlan> buckets = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      double part = LAYOUT_PART + (1 - LAYOUT_PART) * (i + 1) / parts.size();
      buckets.add(bucket(search, parts.get(i), part));
    }
    return buckets;
  }

  private static long total(ShapePlans search, int[] order, long[] sizes) {
    return search.fit().totals(order, ShapeSizes.of(List.of(sizes), sizes.length))[0];
  }

  /** {@return the order with the smallest arena for a bucket, then with the smallest average} */
  private BucketPlan bucket(ShapePlans search, DimensionRanges ranges, double part) {
    PlanProblem largest = problem.withRanges(ranges).largest();
    OffsetsSearchResult best = search.search(largest, part, 2);
    List<Integer> within = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      if (ranges.contains(shapes.get(i))) {
        within.add(i);
      }
    }
    int guideCount = Math.min(MAX_GUIDES, within.size());
    List<long[]> columns = new ArrayList<>();
    long[] references = new long[guideCount + 1];
    double[] weights = weights(guideCount + 1, 1.0 / Math.max(1, guideCount));
    columns.add(ShapeSizes.of(largest));
    references[0] = best.lowerBoundBytes();
    weights[0] = ARENA_WEIGHT;
    for (int i = 0; i < guideCount; i++) {
      int guide = within.get((int) ((long) i * within.size() / guideCount));
      columns.add(ShapeSizes.of(problem.at(shapes.get(guide))));
      references[i + 1] = search.pool().best(guide);
    }
    ShapeSizes sizes = ShapeSizes.of(columns, problem.records().size());
    OrderImprovement improvement =
        new OrderImprovement(search.fit(), sizes, references, weights, budget);
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
    int[] order = improvement.improve(start, patience(), part);
    return new BucketPlan(
        ranges, order, new BucketArena(problem, search.fit()).bytes(order, ranges));
  }

  private LayoutSearchResult result(
      ShapePlans search, OffsetsSearchResult maximum, int[] order, List<BucketPlan> bucketPlans) {
    ShapeLayout layout = layout(search, problem, order);
    List<LayoutBucket> buckets = new ArrayList<>();
    for (BucketPlan bucket : bucketPlans) {
      buckets.add(
          new LayoutBucket(
              bucketPlans.size() == 1
                  ? layout
                  : layout(search, problem.withRanges(bucket.ranges), bucket.order),
              bucket.arenaBytes));
    }
    List<ComparedShape> compared = new ArrayList<>();
    for (int i = 0; i < shapes.size(); i++) {
      DimensionValues shape = shapes.get(i);
      LayoutBucket bucket =
          buckets.stream()
              .filter(candidate -> candidate.ranges().contains(shape))
              .findFirst()
              .orElseThrow();
      long layoutBytes = layout.totalBytes(shape);
      long bucketBytes = bucket.layout().totalBytes(shape);
      compared.add(
          new ComparedShape(
              shape,
              search.lowerBound(i),
              Math.min(search.pool().best(i), Math.min(layoutBytes, bucketBytes)),
              layoutBytes,
              bucketBytes,
              bucket.arenaBytes()));
    }
    OffsetsAssignment maximumPlan = maximumPlan(search, maximum.assignment());
    return new LayoutSearchResult(
        ShapeLayout.constant(problem, maximumPlan.offsets()),
        maximumPlan.totalBytes(),
        layout,
        buckets,
        compared,
        problem.ranges().shapeCount() <= ShapeSample.MAX_SHAPES,
        !budget.isCancelled());
  }

  /** {@return the smallest plan for the largest size of each record, of one and of all orders} */
  private OffsetsAssignment maximumPlan(ShapePlans search, OffsetsAssignment first) {
    PlanProblem largest = problem.largest();
    long[] sizes = ShapeSizes.of(largest);
    OffsetsAssignment smallest = first;
    for (OrderPool.Scored scored : search.pool().orders()) {
      OffsetsAssignment plan =
          OffsetsAssignment.inSmallestArena(largest, search.fit().offsets(scored.order(), sizes));
      smallest = plan.totalBytes() < smallest.totalBytes() ? plan : smallest;
    }
    return smallest;
  }

  /** {@return the layout of an order, with short expressions if the checker certifies them} */
  private static ShapeLayout layout(ShapePlans search, SymbolicProblem problem, int[] order) {
    List<LayoutOffset> formulas = search.fit().formulas(order);
    ShapeLayout plain = ShapeLayout.of(problem, formulas);
    ShapeLayout shortened = ShapeLayout.of(problem, ShortFormulas.of(problem, formulas, order));
    return LayoutChecker.violation(shortened).isEmpty() ? shortened : plain;
  }
}
