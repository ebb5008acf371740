package dev.stowage.core.plan.time;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import java.util.Arrays;
import java.util.List;

/**
 * For every k, the largest k-th largest size of any task.
 *
 * <p>No assignment has objects smaller than these, so that their sum is the lower bound of shared
 * objects. Sorted, as the k-th largest size of one task is at most its (k-1)-th.
 */
public final class PositionalMaximums {

  /*
   * The k-th maximum is at least s exactly if some task has k live records of at least s bytes. So
   * records enter by descending size, and each time the most live records of any task grow by one,
   * the size just entered is the next maximum. O(n log n), where sorting each task's records would
   * cost the sum of all lifetimes.
   */

  private PositionalMaximums() {}

  /** {@return the maximums, largest first} */
  public static long[] of(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    TaskRanks ranks = TaskRanks.of(problem);
    MaximumTree liveRecords = new MaximumTree(ranks.count());
    long[] maximums = new long[16];
    int count = 0;
    for (int i : IndexOrder.descending(records.size(), i -> records.get(i).bytes())) {
      TensorUsageRecord record = records.get(i);
      liveRecords.increment(ranks.ofFirst(record.firstTask()), ranks.ofLast(record.lastTask()));
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

  /** A counter for each rank; ranges are incremented and the largest is known, in O(log n). */
  private static final class MaximumTree {

    private final int leaves;

    /** What was added to a node as a whole, and the largest sum of such below and at the node. */
    private final int[] added;

    private final int[] largest;

    MaximumTree(int count) {
      leaves = Math.max(1, count);
      added = new int[2 * leaves];
      largest = new int[2 * leaves];
    }

    void increment(int first, int last) {
      int low = first + leaves;
      int high = last + leaves;
      int lowestLeaf = low;
      int highestLeaf = high;
      for (; low <= high; low >>= 1, high >>= 1) {
        if ((low & 1) == 1) {
          incrementNode(low++);
        }
        if ((high & 1) == 0) {
          incrementNode(high--);
        }
      }
      refresh(lowestLeaf >> 1);
      refresh(highestLeaf >> 1);
    }

    int maximum() {
      return largest[1];
    }

    private void incrementNode(int node) {
      added[node]++;
      largest[node]++;
    }

    private void refresh(int start) {
      for (int node = start; node > 0; node >>= 1) {
        largest[node] = added[node] + Math.max(largest[2 * node], largest[2 * node + 1]);
      }
    }
  }
}
