package dev.stowage.bench;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.incremental.OperatorOrder;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * The changes per second of several ways to plan one network, measured in alternating rounds.
 *
 * <p>A second is one of the thread's CPU time, so that other load on the machine matters less.
 */
final class IncrementalRun {

  /** A way to get the load and the total of a plan after a change. */
  enum Way {
    /** GREEDY_BY_SIZE and the load, from scratch. */
    SCRATCH,

    /** The quadratic algorithm of GREEDY_BY_SIZE and the load, from scratch. */
    QUADRATIC,

    /** The load and the total after each move of a walk. */
    PLAN,

    /** The load and the total after a move that is then taken back. */
    TRIAL,

    /** Only the load after each move of a walk. */
    LOAD
  }

  private static final int MOVES = 4_096;
  private static final int WARM_UP_ROUNDS = 4;

  private final OperatorOrder order;
  private final OrderWalk walk;
  private final Map<Way, double[]> rates = new EnumMap<>(Way.class);

  private IncrementalRun(OperatorOrder order, OrderWalk walk) {
    this.order = order;
    this.walk = walk;
  }

  /**
   * {@return the rates of all ways for a network}
   *
   * <p>Checks that the load and the plan after the first moves equal those from scratch.
   *
   * @param count the number of operators
   * @param distance the maximum number of places by which an operator moves
   * @param rounds the number of rounds, after some that warm the JVM up
   * @param nanos the least CPU time of each way in each round
   */
  static IncrementalRun of(
      OperatorNetwork network, int count, int distance, int rounds, long nanos) {
    int problemCount = count > 2_000 ? 20 : 200;
    OrderWalk walk = OrderWalk.of(network.order(count), MOVES, distance, problemCount);
    check(network.order(count), walk);
    IncrementalRun run = new IncrementalRun(network.order(count), walk);
    run.order.totalBytes();
    for (Way way : Way.values()) {
      run.rates.put(way, new double[rounds]);
      run.rate(way, WARM_UP_ROUNDS * nanos);
    }
    for (int round = 0; round < rounds; round++) {
      for (Map.Entry<Way, double[]> entry : run.rates.entrySet()) {
        entry.getValue()[round] = run.rate(entry.getKey(), nanos);
      }
    }
    return run;
  }

  private static void check(OperatorOrder order, OrderWalk walk) {
    for (int k = 0; k < walk.problems().size(); k++) {
      PlanProblem problem = walk.problems().get(k);
      walk.moves().get(k).apply(order);
      if (order.loadBytes() != loadBytes(problem)
          || !order.assignment().equals(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem))
          || order.totalBytes() != new QuadraticGreedyBySize(problem.records()).plan()) {
        throw new AssertionError("the incremental plan differs from planning from scratch");
      }
    }
  }

  /** {@return the load, by a sweep over dense tasks} */
  private static long loadBytes(PlanProblem problem) {
    long[] change = new long[problem.records().size() + 1];
    for (TensorUsageRecord record : problem.records()) {
      change[(int) record.firstTask()] += record.bytes();
      change[(int) record.lastTask() + 1] -= record.bytes();
    }
    long live = 0;
    long load = 0;
    for (long bytes : change) {
      live += bytes;
      load = Math.max(load, live);
    }
    return load;
  }

  /** {@return the changes per second of passes that take some time} */
  private double rate(Way way, long nanos) {
    long start = cpuNanos();
    long elapsed;
    long passes = 0;
    long sum = 0;
    do {
      sum += pass(way);
      passes++;
      elapsed = cpuNanos() - start;
    } while (elapsed < nanos);
    if (sum == 0) {
      throw new AssertionError("no plan has any bytes");
    }
    return 1e9 * changes(way) * passes / Math.max(1, elapsed);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /** {@return the number of changes in one pass} */
  private long changes(Way way) {
    return switch (way) {
      case SCRATCH, QUADRATIC -> walk.problems().size();
      case PLAN, LOAD -> 2L * walk.moves().size();
      case TRIAL -> walk.trials().size();
    };
  }

  /** Runs over all problems, trials or moves and {@return the sum of all results} */
  private long pass(Way way) {
    return switch (way) {
      case SCRATCH ->
          walk.problems().stream()
              .mapToLong(problem ->
                  loadBytes(problem)
                      + MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem).totalBytes())
              .sum();
      case QUADRATIC ->
          walk.problems().stream()
              .mapToLong(problem ->
                  loadBytes(problem) + new QuadraticGreedyBySize(problem.records()).plan())
              .sum();
      case TRIAL -> walk.trials().stream().mapToLong(this::tried).sum();
      case PLAN ->
          walk.there().mapToLong(this::moved).sum() + walk.back().mapToLong(this::moved).sum();
      case LOAD ->
          walk.there().mapToLong(this::movedForLoad).sum()
              + walk.back().mapToLong(this::movedForLoad).sum();
    };
  }

  private long tried(OrderWalk.Move move) {
    order.checkpoint();
    long bytes = moved(move);
    order.rollback();
    return bytes;
  }

  private long moved(OrderWalk.Move move) {
    move.apply(order);
    return order.loadBytes() + order.totalBytes();
  }

  private long movedForLoad(OrderWalk.Move move) {
    move.apply(order);
    return order.loadBytes();
  }

  private double[] rates(Way way) {
    return Objects.requireNonNull(rates.get(way));
  }

  /** {@return the median of the changes per second} */
  double rate(Way way) {
    return median(rates(way));
  }

  /**
   * {@return the ratios of the rates of two ways in the same round, ascending}
   *
   * @param way the way in the numerator
   * @param baseline the way in the denominator
   */
  double[] ratios(Way way, Way baseline) {
    double[] above = rates(way);
    double[] below = rates(baseline);
    double[] ratios = new double[above.length];
    Arrays.setAll(ratios, round -> above[round] / below[round]);
    Arrays.sort(ratios);
    return ratios;
  }

  /** {@return the median of some numbers} */
  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
