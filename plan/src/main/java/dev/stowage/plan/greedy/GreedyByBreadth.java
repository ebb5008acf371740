package dev.stowage.plan.greedy;

import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.planner.ComparisonLimit;
import dev.stowage.plan.planner.ObjectsPlanner;
import dev.stowage.plan.time.TaskRanks;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The strategy that assigns the records of the tasks with the most live bytes first.
 *
 * <p>Tasks are visited by descending breadth, the sum of their live bytes. The unassigned records
 * of a task are assigned by descending size. A record takes the smallest free object of at least
 * its size. Without one, the largest free object grows; without a free object, there is a new one.
 * Ties: tasks by ascending number, records by ascending index, objects by ascending id. Pisarchyk
 * and Lee, "Efficient Memory Management for Deep Neural Net Inference" (2020), algorithm 1; from
 * TensorFlow Lite's GPU delegate.
 */
public final class GreedyByBreadth implements ObjectsPlanner {

  /** The steps to count for a record, so that {@code stop} is called once for 16 records. */
  private static final int STEPS_PER_RECORD = StepCounter.INTERVAL_STEPS / 16;

  @Override
  public ComparisonLimit objectsComparisonLimit() {
    // At most two steps for each pair of conflicting records: about a second at this limit.
    return new ComparisonLimit(20_000, 200_000_000);
  }

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem, BooleanSupplier stop) {
    return new Run(problem, new StepCounter(stop)).plan();
  }

  /** The state of one plan. */
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
      // Every record is live at its first rank, so tasks between ranks need no visit.
      for (int rank : ranksByBreadth()) {
        for (int i : unassigned.takeLiveAt(rank)) {
          steps.check(STEPS_PER_RECORD);
          objectIds[i] = assign(i);
        }
      }
      return ObjectsAssignment.of(objectIds, objects.toArray());
    }

    /** Assigns an object to a record and {@return its id} */
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
