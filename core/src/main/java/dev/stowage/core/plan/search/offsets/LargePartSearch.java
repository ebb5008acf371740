package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.fit.OrderedFit;
import dev.stowage.core.plan.fit.RecordOrders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Looks for a smaller arena of a part that is too large to be searched through.
 *
 * <p>In two ways, side by side. The best plan is repaired where it is too high ({@link
 * ZoneRepair}). And by squeaky wheel optimization (Joslin and Clements, 1999): records are placed
 * one by one, and those that end too high move to the front, at random how far, for the next time.
 */
final class LargePartSearch implements PartSearch {

  private final int[] records;
  private final OrderedFit fit;
  private final PlanProblem problem;
  private final long lowerBytes;
  private long[] offsets;
  private long upperBytes;
  private final List<Wheel> wheels;
  private final ZoneRepair repair;

  /**
   * A search.
   *
   * @param records the indices of the part's records in the whole problem
   * @param problem the part as a problem of its own
   * @param plan a plan of the whole problem
   */
  LargePartSearch(int[] records, PlanProblem problem, long lowerBytes, OffsetsAssignment plan) {
    this.records = records;
    this.problem = problem;
    this.lowerBytes = lowerBytes;
    offsets = Arrays.stream(records).mapToLong(plan::offset).toArray();
    upperBytes = OffsetsAssignment.inSmallestArena(problem, offsets).totalBytes();
    repair = new ZoneRepair(problem, offsets);
    fit = new OrderedFit(problem);
    RecordOrders orders = new RecordOrders(problem, fit);
    wheels =
        List.of(
            new Wheel(orders::byPeakAndTasks, OrderedFit.Fit.LOWEST, 0.8, 0.5, 1),
            new Wheel(orders::byPeakAndTasks, OrderedFit.Fit.TIGHTEST, 0.5, 0, 2),
            new Wheel(orders::byTasksClass, OrderedFit.Fit.TIGHTEST, 0.5, 0, 3));
  }

  @Override
  public long lowerBytes() {
    return lowerBytes;
  }

  @Override
  public long upperBytes() {
    return upperBytes;
  }

  @Override
  public long nodes() {
    return repair.nodes() + wheels.stream().mapToLong(wheel -> wheel.nodes).sum();
  }

  @Override
  public void copyOffsets(long[] ofProblem) {
    for (int record = 0; record < offsets.length; record++) {
      ofProblem[records[record]] = offsets[record];
    }
  }

  @Override
  public Round nextRound(long goalBytes, BooleanSupplier stop) {
    return new Round() {
      @Override
      public List<Runnable> turns() {
        List<Runnable> turns = new ArrayList<>();
        turns.add(() -> repair.turn(goalBytes, stop));
        wheels.forEach(wheel -> turns.add(() -> wheel.turn(goalBytes, stop)));
        return turns;
      }

      @Override
      public void end() {
        takeIfSmaller(OffsetsAssignment.inSmallestArena(problem, repair.offsets()));
        for (Wheel wheel : wheels) {
          wheel.made.ifPresent(plan -> {
            takeIfSmaller(plan);
            repair.startFromIfEasier(plan.offsets(), goalBytes);
          });
        }
      }
    };
  }

  private void takeIfSmaller(OffsetsAssignment plan) {
    if (plan.totalBytes() < upperBytes) {
      upperBytes = plan.totalBytes();
      offsets = plan.offsets();
    }
  }

  /** One order, and what it learns. */
  private final class Wheel {

    /** After how many turns without a better plan to go back to the best one, and on from there. */
    private static final int PATIENCE = 20;

    private final Supplier<int[]> firstOrder;
    private final OrderedFit.Fit by;
    private final double advance;
    private final double blame;
    private final SplittableRandom random;

    /** Of each record, about how many are placed before it. */
    private double[] places = {};

    private double[] bestPlaces = {};
    private long bestBytes = Long.MAX_VALUE;
    private int turnsSinceBest;
    private long nodes;
    private Optional<OffsetsAssignment> made = Optional.empty();

    /**
     * A wheel.
     *
     * @param advance by about how much the place of a record too high is multiplied
     * @param blame what is too high: from the goal, 0, to the end of the plan, 1
     */
    private Wheel(
        Supplier<int[]> firstOrder, OrderedFit.Fit by, double advance, double blame, long seed) {
      this.firstOrder = firstOrder;
      this.by = by;
      this.advance = advance;
      this.blame = blame;
      random = new SplittableRandom(seed);
    }

    /** Makes the first order; in the first turn, as sorting many records takes its time. */
    private void begin() {
      int[] order = firstOrder.get();
      places = new double[order.length];
      for (int k = 0; k < order.length; k++) {
        places[order[k]] = k + 1;
      }
      bestPlaces = places;
    }

    private void turn(long goalBytes, BooleanSupplier stop) {
      made = Optional.empty();
      if (stop.getAsBoolean()) {
        return;
      }
      if (places.length == 0) {
        begin();
      }
      // The bits of positive numbers are in the order of the numbers.
      int[] order = IndexOrder.ascending(places.length, i -> Double.doubleToLongBits(places[i]));
      made = fit.place(order, by, stop);
      nodes += order.length;
      made.ifPresent(plan -> learn(order, plan, goalBytes));
    }

    private void learn(int[] order, OffsetsAssignment plan, long goalBytes) {
      double[] next = new double[order.length];
      for (int k = 0; k < order.length; k++) {
        next[order[k]] = k + 1;
      }
      if (plan.totalBytes() < bestBytes) {
        bestBytes = plan.totalBytes();
        bestPlaces = next.clone();
        turnsSinceBest = 0;
      } else if (++turnsSinceBest > PATIENCE) {
        turnsSinceBest = 0;
        next = bestPlaces.clone();
        for (int i = 0; i < next.length; i++) {
          next[i] *= random.nextDouble(0.9, 1.1);
        }
      }
      long highest = goalBytes + (long) (blame * (plan.totalBytes() - goalBytes));
      for (int i = 0; i < next.length; i++) {
        if (plan.offset(i) + problem.records().get(i).bytes() > highest) {
          next[i] *= advance * random.nextDouble(0.5, 1.5);
        }
      }
      places = next;
    }
  }
}
