package dev.stowage.core.plan.search;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.UnsupportedProblemException;
import dev.stowage.core.plan.fit.ArrivalFit;
import dev.stowage.core.plan.fit.OrderedFit;
import dev.stowage.core.plan.fit.RecordOrders;
import dev.stowage.core.plan.spi.MemoryPlanner;
import dev.stowage.core.plan.time.PositionalMaximums;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The plans that a search starts from: those of all strategies, and of more orders in which to
 * place, which take O(n log n) each.
 *
 * <p>No order is the best one for all problems. That of the highest peak that a record is live at,
 * then of long lifetimes, is often optimal for tens of thousands of records.
 */
final class QuickPlans {

  /*
   * First come the greedy strategies of offsets and the orders, in rounds. What the strategies of
   * objects come to, one object after the other, is seldom the smallest plan, and comes last: the
   * lower bound of objects mostly says that none of it can be smaller.
   *
   *   Q1  The limit wins: what is not made in time is left out, even if a strategy would make it.
   *   Q2  A strategy that takes too long for a comparison of so many records is left out here, too.
   *   Q3  A plan that is good enough ends the orders, but not the strategies: none of these is to be
   *       better than a search.
   */

  /** Beyond that, the time of more plans is better spent on making one smaller. */
  private static final int MANY_RECORDS = 20_000;

  /** GREEDY_IN_ORDER plans up to so many in a tenth of a second. */
  private static final int MAX_RECORDS_AFTER_TIME_LIMIT = 100_000;

  /** How many plans are made side by side, whatever the number of threads. */
  private static final int PLANS_PER_ROUND = 4;

  private final PlanProblem problem;
  private final boolean isHinted;

  /** Large problems are given no time beyond the limit: the rest of a plan takes too long. */
  private final BooleanSupplier stop;

  private final BooleanSupplier stopOfFirst;

  private final Queue<Supplier<Optional<OffsetsAssignment>>> strategies = new ArrayDeque<>();
  private final Queue<Supplier<Optional<OffsetsAssignment>>> orders = new ArrayDeque<>();
  private final Queue<MemoryPlanner> byObjects = new ArrayDeque<>();

  private boolean hasOrders;

  /** No plan that follows from objects is smaller; empty until it is needed. */
  private OptionalLong objectsBytes = OptionalLong.empty();

  QuickPlans(PlanProblem problem, SearchLimit limit) {
    this.problem = problem;
    boolean isLarge = problem.records().size() > MANY_RECORDS;
    stop = isLarge ? limit::isOver : limit::isOverForQuickPlans;
    stopOfFirst = isLarge ? limit::isOver : limit::isOverForFirstPlan;
    isHinted = problem.records().stream().anyMatch(record -> record.hint().isPresent());
    if (!problem.hasPins()) {
      add(StartPlanners.GREEDY_BY_SIZE);
      byObjects.addAll(StartPlanners.ofObjects(problem));
    }
  }

  /**
   * {@return a plan to start from}
   *
   * <p>Of equal plans, one that follows hints comes first. If the time is over before there is any,
   * it is an {@link ArrivalFit}.
   *
   * @param offered a plan that there is already
   */
  OffsetsAssignment first(Optional<OffsetsAssignment> offered) {
    Optional<OffsetsAssignment> made = Optional.empty();
    if (isHinted) {
      add(StartPlanners.TFLM_GREEDY);
      OrderedFit fit = new OrderedFit(problem);
      int[] order = new RecordOrders(problem, fit).byHint();
      made = fit.place(order, OrderedFit.Fit.HINTED, stopOfFirst);
    } else if (offered.isPresent()) {
      add(StartPlanners.TFLM_GREEDY);
    } else {
      try {
        made = Optional.of(StartPlanners.TFLM_GREEDY.planOffsets(problem, stopOfFirst));
      } catch (CancellationException e) {
        made = Optional.of(quickest());
      }
    }
    OffsetsAssignment first = made.or(() -> offered).orElseGet(() -> ArrivalFit.plan(problem));
    return offered.filter(plan -> plan.totalBytes() < first.totalBytes()).orElse(first);
  }

  /** {@return a plan for which there is always time} */
  private OffsetsAssignment quickest() {
    OffsetsAssignment fit = ArrivalFit.plan(problem);
    if (problem.hasPins() || problem.records().size() > MAX_RECORDS_AFTER_TIME_LIMIT) {
      return fit;
    }
    OffsetsAssignment inOrder = StartPlanners.GREEDY_IN_ORDER.planOffsets(problem, () -> false);
    return inOrder.totalBytes() < fit.totalBytes() ? inOrder : fit;
  }

  private void add(MemoryPlanner strategy) {
    strategies.add(() -> Optional.of(strategy.planOffsets(problem, stop)));
  }

  private void addOrders() {
    OrderedFit fit = new OrderedFit(problem);
    RecordOrders all = new RecordOrders(problem, fit);
    add(fit, OrderedFit.Fit.LOWEST, all::byPeakAndTasks);
    add(fit, OrderedFit.Fit.TIGHTEST, all::byPeakAndTasks);
    add(fit, OrderedFit.Fit.LOWEST, all::byPeakAndBytes);
    if (problem.records().size() <= MANY_RECORDS) {
      add(fit, OrderedFit.Fit.LOWEST, all::byPeakAndBytesLastFirst);
      add(fit, OrderedFit.Fit.TIGHTEST, all::byPeakAndBytes);
      add(fit, OrderedFit.Fit.LOWEST, all::byBytesClass);
      add(fit, OrderedFit.Fit.TIGHTEST, all::byTasksClass);
    }
  }

  private void add(OrderedFit fit, OrderedFit.Fit by, Supplier<int[]> order) {
    orders.add(() -> fit.place(order.get(), by, stop));
  }

  /** A plan to be made, and the plan. */
  static final class Attempt implements Runnable {

    private final Supplier<Optional<OffsetsAssignment>> maker;
    private final BooleanSupplier stop;
    private Optional<OffsetsAssignment> plan = Optional.empty();

    private Attempt(Supplier<Optional<OffsetsAssignment>> maker, BooleanSupplier stop) {
      this.maker = maker;
      this.stop = stop;
    }

    @Override
    public void run() {
      try {
        if (!stop.getAsBoolean()) {
          plan = maker.get();
        }
      } catch (CancellationException e) {
        plan = Optional.empty(); // there was no time
      }
    }

    /** {@return the plan, if it could be made and there was time} */
    Optional<OffsetsAssignment> plan() {
      return plan;
    }
  }

  /**
   * {@return the next plans to be made, in an order that ties go by; none at the end}
   *
   * @param bestBytes the smallest plan so far
   * @param isGoodEnough whether that ends the search, so that only strategies are of interest
   */
  List<Attempt> next(long bestBytes, boolean isGoodEnough) {
    if (isGoodEnough) {
      orders.clear();
    } else if (!hasOrders) {
      hasOrders = true;
      addOrders();
    }
    List<Attempt> next = new ArrayList<>();
    take(strategies, next);
    take(orders, next);
    if (next.isEmpty() && !byObjects.isEmpty() && objectsBytes() < bestBytes) {
      while (!byObjects.isEmpty() && next.size() < PLANS_PER_ROUND) {
        MemoryPlanner strategy = byObjects.remove();
        next.add(new Attempt(() -> planByObjects(strategy), stop));
      }
    }
    return next;
  }

  private void take(Queue<Supplier<Optional<OffsetsAssignment>>> makers, List<Attempt> next) {
    while (!makers.isEmpty() && next.size() < PLANS_PER_ROUND) {
      next.add(new Attempt(makers.remove(), stop));
    }
  }

  private long objectsBytes() {
    if (objectsBytes.isEmpty()) {
      objectsBytes = OptionalLong.of(PositionalMaximums.sum(problem));
    }
    return objectsBytes.getAsLong();
  }

  private Optional<OffsetsAssignment> planByObjects(MemoryPlanner strategy) {
    try {
      return Optional.of(strategy.planObjects(problem, stop).toOffsets(problem));
    } catch (UnsupportedProblemException e) {
      return Optional.empty(); // objects that cannot be laid out
    }
  }
}
