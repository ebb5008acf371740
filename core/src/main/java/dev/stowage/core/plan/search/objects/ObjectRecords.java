package dev.stowage.core.plan.search.objects;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The records that need bytes, in the order in which they start; what starts together goes by
 * descending size, then by last task, the later first, then by index.
 *
 * <p>Tasks are ranks. A record is known by its position in this order; arrays are not copied.
 *
 * @param indices which record of the problem stands at each position
 * @param bytes the size of each
 * @param firstRanks the rank of the first task of each
 * @param lastRanks the rank of the last start that is not after the last task of each
 */
@SuppressWarnings("ArrayRecordComponent") // a view of columns, never compared
public record ObjectRecords(int[] indices, long[] bytes, int[] firstRanks, int[] lastRanks) {

  /** {@return the records of a problem, but for those of no bytes} */
  public static ObjectRecords of(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    TaskRanks ranks = TaskRanks.of(problem);
    int[] order =
        IntStream.range(0, records.size()).filter(i -> records.get(i).bytes() > 0).toArray();
    // Sorts are stable: the last one is the first criterion.
    order = sorted(order, i -> -records.get(i).lastTask());
    order = sorted(order, i -> -records.get(i).bytes());
    order = sorted(order, i -> records.get(i).firstTask());
    return new ObjectRecords(
        order,
        Arrays.stream(order).mapToLong(i -> records.get(i).bytes()).toArray(),
        Arrays.stream(order).map(i -> ranks.ofFirst(records.get(i).firstTask())).toArray(),
        Arrays.stream(order).map(i -> ranks.ofLast(records.get(i).lastTask())).toArray());
  }

  private interface Key {
    long of(int index);
  }

  private static int[] sorted(int[] indices, Key key) {
    int[] order = IndexOrder.ascending(indices.length, k -> key.of(indices[k]));
    return Arrays.stream(order).map(k -> indices[k]).toArray();
  }

  public int count() {
    return indices.length;
  }

  /** {@return those at the positions that pass, in the same order} */
  public ObjectRecords at(IntPredicate positions) {
    int[] kept = IntStream.range(0, count()).filter(positions).toArray();
    return new ObjectRecords(
        Arrays.stream(kept).map(k -> indices[k]).toArray(),
        Arrays.stream(kept).mapToLong(k -> bytes[k]).toArray(),
        Arrays.stream(kept).map(k -> firstRanks[k]).toArray(),
        Arrays.stream(kept).map(k -> lastRanks[k]).toArray());
  }
}
