package dev.stowage.core.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
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
   *   Q1  However little time there is, the first round is made, and what strategies of objects
   *       plan, unless that bound rules it out: when the time is over, only orders are left out.
   *   Q2  A strategy that takes too long for a comparison of so many records is left out here, too;
   *       GREEDY_BY_BREADTH, when the time is over, above 100,000 records. At a million it takes
   *       2 s to 4 s, and GREEDY_IN_ORDER and EQUALITY half a second each.
   */

  /** Beyond that, the time of more plans is better spent on making one smaller. */
  private static final int MANY_RECORDS = 20_000;

  /** Beyond that, none but the quickest strategies plan when the time is over. */
  private static final int VERY_MANY_RECORDS = 100_000;

  /** How many plans are made side by side, whatever the number of threads. */
  private static final int ROUND = 4;

  private final PlanProblem problem;
  private final BooleanSupplier stop;
  private final Queue<Supplier<Optional<OffsetsAssignment>>> makers = new ArrayDeque<>();
  private final Queue<MemoryStrategy> byObjects = new ArrayDeque<>();
  private boolean isBegun;

  /** No plan that follows from objects is smaller; empty until someone wants to know. */
  private OptionalLong objectsBytes = OptionalLong.empty();

  QuickPlans(PlanProblem problem, BooleanSupplier stop) {
    this.problem = problem;
    this.stop = stop;
    if (problem.records().stream().anyMatch(record -> record.hint().isPresent())) {
      makers.add(() -> Optional.of(MemoryStrategy.TFLM_GREEDY.planOffsets(problem)));
    }
    if (!problem.hasPins()) {
      makers.add(() -> Optional.of(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem)));
      addStrategiesOfObjects();
    }
    OrderedFit fit = new OrderedFit(problem);
    RecordOrders orders = new RecordOrders(problem, fit);
    add(fit, OrderedFit.Fit.LOWEST, orders::byPeakAndTasks);
    add(fit, OrderedFit.Fit.TIGHTEST, orders::byPeakAndTasks);
    add(fit, OrderedFit.Fit.LOWEST, orders::byPeakAndBytes);
    if (problem.records().size() <= MANY_RECORDS) {
      add(fit, OrderedFit.Fit.LOWEST, orders::byPeakAndBytesLastFirst);
      add(fit, OrderedFit.Fit.TIGHTEST, orders::byPeakAndBytes);
      add(fit, OrderedFit.Fit.LOWEST, orders::byBytesClass);
      add(fit, OrderedFit.Fit.TIGHTEST, orders::byTasksClass);
    }
  }

  private void add(OrderedFit fit, OrderedFit.Fit by, Supplier<int[]> order) {
    makers.add(() -> fit.place(order.get(), by, stop));
  }

  /** Adds all but one that takes the best of two others, and one that searches itself. */
  private void addStrategiesOfObjects() {
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy.plans(AssignmentKind.OBJECTS)
          && strategy != MemoryStrategy.GREEDY_BEST
          && strategy != MemoryStrategy.OPTIMAL
          && problem.records().size() <= strategy.comparedRecordLimit(AssignmentKind.OBJECTS)) {
        byObjects.add(strategy);
      }
    }
  }

  /** A plan to be made, and the plan. */
  static final class Attempt implements Runnable {

    private final Supplier<Optional<OffsetsAssignment>> maker;
    private Optional<OffsetsAssignment> plan = Optional.empty();

    private Attempt(Supplier<Optional<OffsetsAssignment>> maker) {
      this.maker = maker;
    }

    @Override
    public void run() {
      plan = maker.get();
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
   */
  List<Attempt> next(long bestBytes) {
    if (isBegun && stop.getAsBoolean()) {
      hurry();
    }
    isBegun = true;
    List<Attempt> next = new ArrayList<>();
    while (!makers.isEmpty() && next.size() < ROUND) {
      next.add(new Attempt(makers.remove()));
    }
    if (next.isEmpty() && !byObjects.isEmpty() && objectsBytes() < bestBytes) {
      while (!byObjects.isEmpty() && next.size() < ROUND) {
        MemoryStrategy strategy = byObjects.remove();
        next.add(new Attempt(() -> planByObjects(strategy)));
      }
    }
    return next;
  }

  /** Leaves out what no comparison misses, or what takes seconds. */
  private void hurry() {
    makers.clear();
    if (problem.records().size() > VERY_MANY_RECORDS) {
      byObjects.remove(MemoryStrategy.GREEDY_BY_BREADTH);
    }
  }

  private long objectsBytes() {
    if (objectsBytes.isEmpty()) {
      objectsBytes = OptionalLong.of(Arrays.stream(PositionalMaximums.of(problem)).sum());
    }
    return objectsBytes.getAsLong();
  }

  private Optional<OffsetsAssignment> planByObjects(MemoryStrategy strategy) {
    try {
      return Optional.of(strategy.planObjects(problem).toOffsets(problem));
    } catch (UnsupportedProblemException e) {
      return Optional.empty(); // objects that cannot be laid out
    }
  }
}
