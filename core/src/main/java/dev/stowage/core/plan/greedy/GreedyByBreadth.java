package dev.stowage.core.plan.greedy;

import dev.stowage.core.plan.ObjectsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.base.StepCounter;
import dev.stowage.core.plan.spi.ComparisonLimit;
import dev.stowage.core.plan.spi.ObjectsPlanner;
import dev.stowage.core.plan.time.TaskRanks;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Takes tasks by breadth, the sum of the bytes live at them, the largest first, and at each the
 * records by size; a record goes to the smallest free object that holds it, else to the largest.
 *
 * <p>Ties: tasks by ascending number, records by ascending index, objects by ascending id.
 * Pisarchyk and Lee (2020), algorithm 1; from TensorFlow Lite's GPU delegate.
 */
public final class GreedyByBreadth implements ObjectsPlanner {

  /** Up to two steps for each pair of records that conflict: so many take about a second. */
  @Override
  public ComparisonLimit objectsComparisonLimit() {
    return new ComparisonLimit(20_000, 200_000_000);
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    return new Run(problem, new StepCounter(stop)).plan();
  }

  /** So that {@code stop} is asked once for a few records. */
  private static final int STEPS_PER_RECORD = StepCounter.INTERVAL_STEPS / 16;

  private static final class Run {

    private final List<TensorUsageRecord> records;
    private final TaskRanks ranks;
    private final UnassignedRecords unassigned;
    private final AssignedObjects assigned;
    private final ObjectsBySize objects = new ObjectsBySize();
    private final StepCounter steps;

    Run(PlanProblem problem, StepCounter steps) {
      this.steps = steps;
      records = problem.records();
      ranks = TaskRanks.of(problem);
      unassigned = new UnassignedRecords(records, ranks);
      assigned = new AssignedObjects(ranks.count(), records.size());
    }

    ObjectsAssignment plan() {
      int[] objectIds = new int[records.size()];
      // Every record is live at the start of its own first rank: no task between starts is needed.
      for (int rank : ranksByBreadth()) {
        for (int i : unassigned.takeLiveAt(rank)) {
          steps.check(STEPS_PER_RECORD);
          objectIds[i] = assign(i);
        }
      }
      return ObjectsAssignment.of(objectIds, objects.toArray());
    }

    private int assign(int record) {
      int firstRank = ranks.ofFirst(records.get(record).firstTask());
      int lastRank = ranks.ofLast(records.get(record).lastTask());
      assigned.markBusy(firstRank, lastRank);
      int object = objects.choose(records.get(record).bytes(), assigned);
      assigned.add(firstRank, lastRank, object);
      return object;
    }

    private int[] ranksByBreadth() {
      long[] breadths = new long[ranks.count() + 1];
      for (TensorUsageRecord record : records) {
        breadths[ranks.ofFirst(record.firstTask())] += record.bytes();
        breadths[ranks.ofLast(record.lastTask()) + 1] -= record.bytes();
      }
      for (int rank = 1; rank < breadths.length; rank++) {
        breadths[rank] += breadths[rank - 1];
      }
      return IndexOrder.descending(ranks.count(), rank -> breadths[rank]);
    }
  }
}
