package dev.stowage.plan.time;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The positional maximums of a problem: for every k, the maximum over all tasks of the k-th largest
 * size of a live record.
 *
 * <p>Their sum is a lower bound of the total size of shared objects: the k-th largest object is at
 * least as large as the k-th maximum. From Pisarchyk and Lee, "Efficient Memory Management for Deep
 * Neural Net Inference", 2020.
 */
public final class PositionalMaximums {

  /*
   * The k-th maximum is at least s if and only if a task has k live records of at least s bytes.
   * Records are therefore added by descending size. When the maximum number of records live at one
   * task reaches k, the size just added is the k-th maximum. This takes O(n log n); sorting the
   * records of each task would take time proportional to the sum of all lifetimes.
   */

  private PositionalMaximums() {}

  /** {@return the maximums, largest first} */
  public static long[] of(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    TaskRanks ranks = TaskRanks.of(problem);
    RankLoad liveRecords = new RankLoad(new long[ranks.count()]);
    long[] maximums = new long[16];
    int count = 0;
    for (int i : IndexOrder.descending(records.size(), i -> records.get(i).bytes())) {
      TensorUsageRecord record = records.get(i);
      liveRecords.add(ranks.ofFirst(record.firstTask()), ranks.ofLast(record.lastTask()), 1);
      if (liveRecords.maximum() > count) {
        if (count == maximums.length) {
          maximums = Arrays.copyOf(maximums, 2 * count);
        }
        maximums[count++] = record.bytes();
      }
    }
    return Arrays.copyOf(maximums, count);
  }

  /** {@return the sum of the maximums, in bytes} */
  public static long sum(PlanProblem problem) {
    return Arrays.stream(of(problem)).sum();
  }
}
