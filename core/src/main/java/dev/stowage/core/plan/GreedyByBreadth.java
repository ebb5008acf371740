package dev.stowage.core.plan;

import java.util.List;

/**
 * Takes tasks by breadth, the sum of the bytes live at them, the largest first, and at each the
 * records by size; a record goes to the smallest free object that holds it, else to the largest.
 *
 * <p>Ties: tasks by ascending number, records by ascending index, objects by ascending id.
 * Pisarchyk and Lee (2020), algorithm 1; from TensorFlow Lite's GPU delegate.
 */
final class GreedyByBreadth implements ObjectsPlanner {

  @Override
  public ObjectsAssignment planObjects(PlanProblem problem) {
    return new Run(problem).plan();
  }

  private static final class Run {

    private final List<TensorUsageRecord> records;
    private final TaskRanks ranks;
    private final UnassignedRecords unassigned;
    private final AssignedObjects assigned;
    private final ObjectsBySize objects = new ObjectsBySize();

    Run(PlanProblem problem) {
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
