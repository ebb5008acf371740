package dev.stowage.plan.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.TimeLimit;
import dev.stowage.plan.greedy.StartPlanners;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.plan.incremental.OperatorOrder;
import dev.stowage.plan.search.orders.LoadSearch;
import dev.stowage.plan.time.TaskLoad;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A search for the order of operators with the smallest tensor arena.
 *
 * <p>The search starts from the given order, so that the result is never worse. {@link
 * SearchOptions#capacityBytes} ends the search at a plan of this size, and {@link
 * SearchOptions#nodeLimit} limits the nodes of each search for offsets.
 */
public final class OrderSearch {

  /*
   * The load of an order is a lower bound of its plans, and usually reached. The search therefore finds
   * the smallest load of all orders first (LoadSearch), then a plan of that order. If the plan is larger
   * than the load, moves of single operators change the order. GREEDY_BY_SIZE plans each order at once
   * (OperatorOrder), and an exhaustive search plans the orders that it plans well.
   */

  /** The parts of the time that the plan of the first order and the search for loads may take. */
  private static final int PART = 3;

  /** The moves of a climb without a better plan, for each operator. */
  private static final int MOVES_PER_OPERATOR = 40;

  private static final int MAX_DISTANCE = 20;
  private static final long QUICK_NODES = 20_000;
  private static final long SEED = 1;

  private final PlanProblem problem;
  private final OperatorGraph graph;
  private final SearchOptions options;
  private final SearchLimit limit;
  private int[] bestOrder;
  private PlanProblem bestProblem;
  private OffsetsAssignment best;
  private long lowerBoundBytes;

  /** True if the time of the search for loads is over, so that its lower bound may be too low. */
  private boolean isLoadCut;

  /** The search for offsets that runs now. */
  private volatile @Nullable OffsetsSearch running;

  private OrderSearch(
      PlanProblem problem, OperatorGraph graph, SearchOptions options, LongSupplier nanoTime) {
    this.problem = problem;
    this.graph = graph;
    this.options = options;
    limit = new SearchLimit(options.timeLimit(), nanoTime);
    bestOrder = givenOrder(graph);
    bestProblem = problem;
    best = StartPlanners.GREEDY_BY_SIZE.planOffsets(problem, () -> false);
  }

  private static int[] givenOrder(OperatorGraph graph) {
    return IntStream.range(0, graph.operatorCount()).toArray();
  }

  /**
   * {@return a search that has not started}
   *
   * @param problem the records; the order of the operators determines their lifetimes
   * @param graph the operators, in the first order
   * @param options the limits
   * @throws IllegalArgumentException as {@link OperatorOrder#of}, or if an output is not an input
   *     and no operator uses it
   */
  public static OrderSearch of(PlanProblem problem, OperatorGraph graph, SearchOptions options) {
    return of(problem, graph, options, System::nanoTime);
  }

  /**
   * {@return a search with another clock}
   *
   * @param nanoTime a clock in nanoseconds, as {@link System#nanoTime}
   */
  static OrderSearch of(
      PlanProblem problem, OperatorGraph graph, SearchOptions options, LongSupplier nanoTime) {
    for (int record = 0; record < graph.recordCount(); record++) {
      if (graph.isOutput(record) && !graph.isInput(record) && graph.users(record).length == 0) {
        throw new IllegalArgumentException(
            "an output that no operator uses must be an input, too: record=" + record);
      }
    }
    PlanProblem given = OperatorOrder.problemOf(problem, graph, givenOrder(graph));
    return new OrderSearch(given, graph, options, nanoTime);
  }

  /** Ends the search soon; any thread may call this. */
  public void cancel() {
    limit.cancel();
    OffsetsSearch search = running;
    if (search != null) {
      search.cancel();
    }
  }

  /** {@return the best order found, once} */
  public OrderSearchResult run() {
    limit.start();
    plan(bestOrder, problem, Long.MAX_VALUE, options.timeLimit().dividedBy(PART));
    long[] bytes = problem.records().stream().mapToLong(record -> record.bytes()).toArray();
    long loadNanos = limit.elapsedNanos() + remaining().toNanos() / PART;
    LoadSearch search =
        new LoadSearch(
            graph,
            bytes,
            TaskLoad.bytes(problem),
            () -> {
              isLoadCut |= limit.isOver() || limit.elapsedNanos() >= loadNanos;
              return isLoadCut;
            });
    search.run();
    lowerBoundBytes = search.lowerBoundBytes();
    if (!isDone()) {
      PlanProblem ordered = OperatorOrder.problemOf(problem, graph, search.order());
      plan(search.order(), ordered, Long.MAX_VALUE, remaining().dividedBy(PART));
    }
    if (!isDone() && !limit.isOver()) {
      climb(OperatorOrder.of(problem, graph, search.order()));
    }
    return new OrderSearchResult(
        IntStream.of(bestOrder).boxed().toList(), bestProblem, best, lowerBoundBytes, end());
  }

  private Duration remaining() {
    return Duration.ofNanos(
        Math.max(0, TimeLimit.nanos(options.timeLimit()) - limit.elapsedNanos()));
  }

  /** Plans an order, and keeps it if its plan is smaller. */
  private void plan(int[] operators, PlanProblem ordered, long nodes, Duration time) {
    SearchOptions ofOrder =
        options
            .withTimeLimit(time)
            .withNodeLimit(Math.min(nodes, options.nodeLimit()))
            .withProgress(_ -> {});
    if (options.capacityBytes().isEmpty()) {
      ofOrder = ofOrder.withCapacity(lowerBoundBytes);
    }
    OffsetsSearch search = OffsetsSearch.of(ordered, ofOrder);
    running = search;
    if (limit.isCancelled()) {
      search.cancel();
    }
    OffsetsAssignment plan = search.run().assignment();
    running = null;
    if (plan.totalBytes() < best.totalBytes()) {
      best = plan;
      bestOrder = operators;
      bestProblem = ordered;
    }
  }

  /** Moves random operators, and keeps a move if it leaves the plan of GREEDY_BY_SIZE no larger. */
  private void climb(OperatorOrder order) {
    SplittableRandom random = new SplittableRandom(SEED);
    long current = order.totalBytes();
    long idleLimit = (long) MOVES_PER_OPERATOR * order.operatorCount();
    for (long idle = 0; idle < idleLimit && !isDone() && !limit.isOver(); idle++) {
      int from = random.nextInt(order.operatorCount());
      int first = Math.max(order.earliestPosition(from), from - MAX_DISTANCE);
      int last = Math.min(order.latestPosition(from), from + MAX_DISTANCE);
      int to = random.nextInt(first, last + 1);
      if (to == from) {
        continue;
      }
      order.checkpoint();
      order.move(from, to);
      if (order.loadBytes() >= best.totalBytes() || order.totalBytes() > current) {
        order.rollback();
        continue;
      }
      order.commit();
      if (order.totalBytes() < current) {
        current = order.totalBytes();
        idle = 0;
        plan(order.operators(), order.problem(), QUICK_NODES, remaining());
      }
    }
  }

  private boolean isDone() {
    return best.totalBytes() <= Math.max(lowerBoundBytes, options.capacityBytes().orElse(0));
  }

  private SearchEnd end() {
    if (best.totalBytes() == lowerBoundBytes) {
      return SearchEnd.OPTIMAL;
    }
    if (best.totalBytes() <= options.capacityBytes().orElse(-1)) {
      return SearchEnd.CAPACITY_REACHED;
    }
    if (limit.isCancelled()) {
      return SearchEnd.CANCELLED;
    }
    return isLoadCut || limit.isOver() ? SearchEnd.TIME_LIMIT : SearchEnd.NOT_EXHAUSTIVE;
  }
}
