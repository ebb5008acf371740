package dev.stowage.plan.search.objects;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The records of a problem that need bytes, sorted by first task, then by descending size, then by
 * descending last task, then by index.
 *
 * <p>The number of a record is its position in this order. Arrays are not copied.
 *
 * @param indices the index of each record in the problem
 * @param bytes the size of each record
 * @param firstRanks the rank of the first task of each record
 * @param lastRanks the rank of the last task of each record; see {@link TaskRanks#ofLast}
 */
@SuppressWarnings("ArrayRecordComponent") // a view of columns, never compared
public record ObjectRecords(int[] indices, long[] bytes, int[] firstRanks, int[] lastRanks) {

  /** {@return the records of a problem, except records of no bytes} */
  public static ObjectRecords of(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    TaskRanks ranks = TaskRanks.of(problem);
    int[] order =
        IntStream.range(0, records.size()).filter(i -> records.get(i).bytes() > 0).toArray();
    // The sorts are stable, so the last one has precedence.
    order = sorted(order, i -> -records.get(i).lastTask());
    order = sorted(order, i -> -records.get(i).bytes());
    order = sorted(order, i -> records.get(i).firstTask());
    return new ObjectRecords(
        order,
        Arrays.stream(order).mapToLong(i -> records.get(i).bytes()).toArray(),
        Arrays.stream(order).map(i -> ranks.ofFirst(records.get(i).firstTask())).toArray(),
        Arrays.stream(order).map(i -> ranks.ofLast(records.get(i).lastTask())).toArray());
  }

  /** A sort key. */
  private interface Key {
    long of(int index);
  }

  private static int[] sorted(int[] indices, Key key) {
    int[] order = IndexOrder.ascending(indices.length, k -> key.of(indices[k]));
    return Arrays.stream(order).map(k -> indices[k]).toArray();
  }

  /** {@return the number of records} */
  public int count() {
    return indices.length;
  }
}
