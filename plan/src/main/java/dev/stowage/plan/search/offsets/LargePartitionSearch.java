package dev.stowage.plan.search.offsets;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.fit.OrderedFit;
import dev.stowage.plan.fit.RecordOrders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * A local search for a smaller arena of a partition that is too large for an exhaustive search.
 *
 * <p>{@link EjectionRepair} and {@link ZoneRepair} lower the highest records of the best plan.
 * Squeaky wheel optimization (Joslin and Clements, "Squeaky Wheel Optimization", 1999) places the
 * records one by one, and moves records that end too high towards the front of the order by a
 * random factor.
 */
final class LargePartitionSearch implements PartitionSearch {

  private final int[] records;
  private final PlanProblem problem;
  private final long lowerBytes;
  private long[] offsets;
  private long upperBytes;
  private final List<SqueakyWheel> wheels;
  private final ZoneRepair zones;

  /** Repairs with attempts of different lengths. */
  private final List<EjectionRepair> ejections;

  /**
   * Creates a search that starts from a plan.
   *
   * @param records the indices of the partition's records in the whole problem
   * @param problem the partition as a separate problem
   * @param lowerBytes a lower bound of every arena of the partition
   * @param plan a plan of the whole problem
   */
  LargePartitionSearch(
      int[] records, PlanProblem problem, long lowerBytes, OffsetsAssignment plan) {
    this.records = records;
    this.problem = problem;
    this.lowerBytes = lowerBytes;
    offsets = Arrays.stream(records).mapToLong(plan::offset).toArray();
    upperBytes = OffsetsAssignment.inSmallestArena(problem, offsets).totalBytes();
    RankedRecords ranked = new RankedRecords(problem);
    zones = new ZoneRepair(ranked, offsets);
    ejections =
        List.of(new EjectionRepair(ranked, offsets, 0), new EjectionRepair(ranked, offsets, 1));
    wheels =
        List.of(
            new SqueakyWheel(RecordOrders::byPeakAndTasks, OrderedFit.Fit.LOWEST, 0.8, 0.5, 1),
            new SqueakyWheel(RecordOrders::byPeakAndTasks, OrderedFit.Fit.TIGHTEST, 0.5, 0, 2),
            new SqueakyWheel(RecordOrders::byTasksClass, OrderedFit.Fit.TIGHTEST, 0.5, 0, 3));
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
    return zones.nodes()
        + ejections.stream().mapToLong(EjectionRepair::nodes).sum()
        + wheels.stream().mapToLong(wheel -> wheel.nodes).sum();
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
        turns.add(() -> zones.turn(goalBytes, stop));
        ejections.forEach(ejection -> turns.add(() -> ejection.turn(goalBytes, stop)));
        if (!zones.hasProgress() && ejections.stream().noneMatch(EjectionRepair::hasProgress)) {
          wheels.forEach(wheel -> turns.add(() -> wheel.turn(goalBytes, stop)));
        }
        return turns;
      }

      @Override
      public void end() {
        takeIfSmaller(OffsetsAssignment.inSmallestArena(problem, zones.offsets()));
        for (EjectionRepair ejection : ejections) {
          takeIfSmaller(OffsetsAssignment.inSmallestArena(problem, ejection.offsets()));
          zones.restartFromIfBetter(ejection.offsets(), goalBytes);
        }
        for (SqueakyWheel wheel : wheels) {
          wheel.lastPlan.ifPresent(plan -> {
            takeIfSmaller(plan);
            zones.restartFromIfBetter(plan.offsets(), goalBytes);
          });
        }
        ejections.forEach(ejection -> ejection.restartFromIfBetter(offsets));
      }
    };
  }

  private void takeIfSmaller(OffsetsAssignment plan) {
    if (plan.totalBytes() < upperBytes) {
      upperBytes = plan.totalBytes();
      offsets = plan.offsets();
    }
  }

  /** An order of the records that adapts to the plans that it leads to. */
  private final class SqueakyWheel {

    /** The wheel restarts near its best order after so many turns. */
    private static final int MAX_TURNS_WITHOUT_IMPROVEMENT = 20;

    private final Function<RecordOrders, int[]> firstOrder;
    private final OrderedFit.Fit by;
    private final double positionFactor;
    private final double blame;
    private final SplittableRandom random;

    /** The approximate position of each record in the order. */
    private double[] positions = {};

    private double[] bestPositions = {};
    private long bestBytes = Long.MAX_VALUE;
    private int turnsWithoutImprovement;
    private long nodes;
    private Optional<OffsetsAssignment> lastPlan = Optional.empty();

    /**
     * Creates a wheel with an initial order.
     *
     * @param positionFactor the mean factor that moves records that are too high to the front
     * @param blame the height limit of records: from 0, the goal, to 1, the end of the plan
     */
    private SqueakyWheel(
        Function<RecordOrders, int[]> firstOrder,
        OrderedFit.Fit by,
        double positionFactor,
        double blame,
        long seed) {
      this.firstOrder = firstOrder;
      this.by = by;
      this.positionFactor = positionFactor;
      this.blame = blame;
      random = new SplittableRandom(seed);
    }

    /** Makes the first order; called in the first turn because sorting many records is slow. */
    private void begin(OrderedFit fit) {
      int[] order = firstOrder.apply(new RecordOrders(problem, fit));
      positions = new double[order.length];
      for (int k = 0; k < order.length; k++) {
        positions[order[k]] = k + 1;
      }
      bestPositions = positions;
    }

    /** Places all records in the current order, and adapts the order. */
    private void turn(long goalBytes, BooleanSupplier stop) {
      lastPlan = Optional.empty();
      if (stop.getAsBoolean()) {
        return;
      }
      OrderedFit fit = new OrderedFit(problem);
      if (positions.length == 0) {
        begin(fit);
      }
      // The bit patterns of positive doubles have the order of the numbers.
      int[] order =
          IndexOrder.ascending(positions.length, i -> Double.doubleToLongBits(positions[i]));
      lastPlan = fit.place(order, by, stop);
      nodes += order.length;
      lastPlan.ifPresent(plan -> learn(order, plan, goalBytes));
    }

    /** Moves the records that are too high towards the front of the next order. */
    private void learn(int[] order, OffsetsAssignment plan, long goalBytes) {
      double[] next = new double[order.length];
      for (int k = 0; k < order.length; k++) {
        next[order[k]] = k + 1;
      }
      if (plan.totalBytes() < bestBytes) {
        bestBytes = plan.totalBytes();
        bestPositions = next.clone();
        turnsWithoutImprovement = 0;
      } else if (++turnsWithoutImprovement > MAX_TURNS_WITHOUT_IMPROVEMENT) {
        turnsWithoutImprovement = 0;
        next = bestPositions.clone();
        for (int i = 0; i < next.length; i++) {
          next[i] *= random.nextDouble(0.9, 1.1);
        }
      }
      long maxEnd = goalBytes + (long) (blame * (plan.totalBytes() - goalBytes));
      for (int i = 0; i < next.length; i++) {
        if (plan.offset(i) + problem.records().get(i).bytes() > maxEnd) {
          next[i] *= positionFactor * random.nextDouble(0.5, 1.5);
        }
      }
      positions = next;
    }
  }
}
