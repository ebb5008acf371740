package dev.stowage.core.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Plans that take O(n log n) each: those of all strategies, and of more orders in which to place.
 *
 * <p>No order is the best one for all problems. That of the highest peak that a record is live at,
 * then of long lifetimes, is often optimal for tens of thousands of records.
 */
final class QuickPlans {

  /** Beyond that, the time of more plans is better spent on making one smaller. */
  private static final int MANY_RECORDS = 20_000;

  /** How many plans are made side by side, whatever the number of threads. */
  private static final int ROUND = 4;

  private final PlanProblem problem;
  private final BooleanSupplier stop;
  private final List<Supplier<Optional<OffsetsAssignment>>> makers = new ArrayList<>();
  private final List<MemoryStrategy> byObjects = new ArrayList<>();
  private final long objectsBytes;
  private int made;

  QuickPlans(PlanProblem problem, BooleanSupplier stop) {
    this.problem = problem;
    this.stop = stop;
    objectsBytes = LowerBounds.of(problem).objectsBytes();
    if (problem.records().stream().anyMatch(record -> record.hint().isPresent())) {
      makers.add(() -> Optional.of(MemoryStrategy.TFLM_GREEDY.planOffsets(problem)));
    }
    if (!problem.hasPins()) {
      makers.add(() -> Optional.of(MemoryStrategy.GREEDY_BY_SIZE.planOffsets(problem)));
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
    for (MemoryStrategy strategy : MemoryStrategy.values()) {
      if (strategy.offsetsFollowFromObjects()
          && !problem.hasPins()
          && problem.records().size() <= strategy.comparedRecordLimit(AssignmentKind.OFFSETS)) {
        byObjects.add(strategy);
      }
    }
  }

  private void add(OrderedFit fit, OrderedFit.Fit by, Supplier<int[]> order) {
    makers.add(() -> fit.place(order.get(), by, stop));
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
   * @param bestBytes the smallest plan so far; plans that follow from objects are never below the
   *     lower bound of objects
   */
  List<Attempt> next(long bestBytes) {
    if (made == makers.size() && objectsBytes < bestBytes) {
      for (MemoryStrategy strategy : byObjects) {
        makers.add(() -> planByObjects(strategy));
      }
      byObjects.clear();
    }
    List<Attempt> next = new ArrayList<>();
    for (; made < makers.size() && next.size() < ROUND; made++) {
      next.add(new Attempt(makers.get(made)));
    }
    return next;
  }

  private Optional<OffsetsAssignment> planByObjects(MemoryStrategy strategy) {
    try {
      return Optional.of(strategy.planOffsets(problem));
    } catch (UnsupportedProblemException e) {
      return Optional.empty(); // objects that cannot be laid out
    }
  }
}
