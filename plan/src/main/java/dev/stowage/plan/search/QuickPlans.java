package dev.stowage.plan.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.fit.ArrivalFit;
import dev.stowage.plan.fit.OrderedFit;
import dev.stowage.plan.fit.RecordOrders;
import dev.stowage.plan.fit.SkylineFit;
import dev.stowage.plan.greedy.StartPlanners;
import dev.stowage.plan.planner.MemoryPlanner;
import dev.stowage.plan.time.PositionalMaximums;
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
 * The first plans of a search for offsets: the plans of all strategies, and fits in further orders.
 * Each fit takes O(n log n).
 *
 * <p>No order is best for all problems. The order by descending peak, then by length of the
 * lifetime, is often optimal for tens of thousands of records.
 */
final class QuickPlans {

  /*
   * The greedy strategies of offsets and the orders come first, in rounds. Plans of shared objects,
   * laid out one after the other, come last: they are seldom the smallest, and the lower bound of
   * objects usually excludes them.
   *
   *   - The limit has precedence: a plan that is not finished in time is omitted.
   *   - A strategy is omitted if its comparison limit does not admit the problem.
   *   - A plan that is good enough ends the orders, but not the strategies, so that no
   *     strategy has a smaller plan.
   *   - For a huge problem, each strategy takes seconds, and is seldom as good as the fits. So the
   *     strategies are made one by one beside the search, and no plan waits for them.
   */

  /** The number of records above which fewer orders are tried. */
  private static final int MANY_RECORDS = 20_000;

  /** The number of records above which a skyline is tried: it is seldom exact. */
  private static final int SKYLINE_RECORDS = 1_500;

  /** The number of records above which the strategies come last. */
  static final int HUGE_RECORDS = 100_000;

  /** The largest problem for which GREEDY_IN_ORDER runs after the limit: it takes about 0.1 s. */
  private static final int MAX_RECORDS_AFTER_TIME_LIMIT = 100_000;

  /** The number of plans in a round, for any number of threads. */
  private static final int PLANS_PER_ROUND = 4;

  private final PlanProblem problem;
  private final boolean isHinted;
  private final boolean isHuge;

  /** True when quick plans end; large problems have no grace period. */
  private final BooleanSupplier stop;

  /** True when the first plan ends. */
  private final BooleanSupplier stopOfFirst;

  private final Queue<Supplier<Optional<OffsetsAssignment>>> strategies = new ArrayDeque<>();
  private final Queue<Supplier<Optional<OffsetsAssignment>>> orders = new ArrayDeque<>();
  private final Queue<MemoryPlanner> byObjects = new ArrayDeque<>();

  private boolean hasOrders;

  /** The lower bound of plans that follow from objects; empty until it is needed. */
  private OptionalLong objectsBytes = OptionalLong.empty();

  /**
   * Creates plans that are not made yet.
   *
   * @param hugeRecords the number of records above which the problem is huge; tests lower it
   */
  QuickPlans(PlanProblem problem, SearchLimit limit, int hugeRecords) {
    this.problem = problem;
    boolean isLarge = problem.records().size() > MANY_RECORDS;
    isHuge = problem.records().size() > hugeRecords;
    stop = isLarge ? limit::isOver : limit::isOverForQuickPlans;
    stopOfFirst = isLarge ? limit::isOver : limit::isOverForFirstPlan;
    isHinted = problem.records().stream().anyMatch(record -> record.hint().isPresent());
    StartPlanners.ofOffsets(problem).stream()
        .filter(planner -> planner != StartPlanners.TFLM_GREEDY) // it makes the first plan
        .forEach(this::add);
    if (!problem.hasPins()) {
      byObjects.addAll(StartPlanners.ofObjects(problem));
    }
  }

  /**
   * {@return the first plan of the search}
   *
   * <p>If a record has a hint, this is a plan that follows hints, unless the offered plan is
   * smaller. If no plan finishes in time, or the problem is huge, {@link ArrivalFit} or
   * GREEDY_IN_ORDER makes it.
   *
   * @param offered the plan that the caller offered
   */
  OffsetsAssignment first(Optional<OffsetsAssignment> offered) {
    Optional<OffsetsAssignment> made = Optional.empty();
    if (isHinted) {
      add(StartPlanners.TFLM_GREEDY);
      OrderedFit fit = new OrderedFit(problem);
      int[] order = new RecordOrders(problem, fit).byHint();
      made = fit.place(order, OrderedFit.Fit.HINTED, stopOfFirst);
    } else if (offered.isPresent() || isHuge) {
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

  /** {@return a plan that is fast enough after the time limit} */
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
    if ((isHuge || problem.records().size() > SKYLINE_RECORDS) && !problem.hasPins()) {
      orders.add(() -> Optional.of(SkylineFit.plan(problem, new StepCounter(stop))));
    }
    add(fit, OrderedFit.Fit.LOWEST, all::byPeakAndTasks);
    if (!isHuge) {
      add(fit, OrderedFit.Fit.TIGHTEST, all::byPeakAndTasks);
      add(fit, OrderedFit.Fit.LOWEST, all::byPeakAndBytes);
    }
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

  /** The attempt to make a plan. */
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
        plan = Optional.empty(); // no time left
      }
    }

    /** {@return the plan; empty if the attempt failed or ran out of time} */
    Optional<OffsetsAssignment> plan() {
      return plan;
    }
  }

  /**
   * {@return the next attempts; the first of them wins a tie; none at the end}
   *
   * @param bestBytes the size of the smallest plan so far
   * @param isGoodEnough true if that plan ends the search, so that only strategies remain
   */
  List<Attempt> next(long bestBytes, boolean isGoodEnough) {
    if (isGoodEnough) {
      orders.clear();
    } else if (!hasOrders) {
      hasOrders = true;
      addOrders();
    }
    List<Attempt> next = new ArrayList<>();
    if (!isHuge) {
      take(strategies, PLANS_PER_ROUND, next);
    }
    take(orders, PLANS_PER_ROUND, next);
    if (next.isEmpty() && !isHuge) {
      takeByObjects(bestBytes, PLANS_PER_ROUND, next);
    }
    return next;
  }

  /**
   * {@return the next of the attempts beside the search}
   *
   * @param bestBytes the size of the smallest plan so far
   */
  Optional<Attempt> nextBesideSearch(long bestBytes) {
    List<Attempt> next = new ArrayList<>();
    if (isHuge) {
      take(strategies, 1, next);
      if (next.isEmpty()) {
        takeByObjects(bestBytes, 1, next);
      }
    }
    return next.stream().findFirst();
  }

  private void takeByObjects(long bestBytes, int most, List<Attempt> next) {
    if (!byObjects.isEmpty() && objectsBytes() < bestBytes) {
      while (!byObjects.isEmpty() && next.size() < most) {
        MemoryPlanner strategy = byObjects.remove();
        next.add(new Attempt(() -> planByObjects(strategy), stop));
      }
    }
  }

  private void take(
      Queue<Supplier<Optional<OffsetsAssignment>>> makers, int most, List<Attempt> next) {
    while (!makers.isEmpty() && next.size() < most) {
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
      return Optional.empty(); // the objects cannot be laid out as an arena
    }
  }
}
