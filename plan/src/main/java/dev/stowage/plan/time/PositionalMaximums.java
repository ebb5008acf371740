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

  /** A segment tree of counters, one for each rank; increments a range in O(log n). */
  private static final class MaximumTree {

    private final int leaves;

    /** The increments of a whole node. */
    private final int[] added;

    /** The largest counter below a node, without the increments of its ancestors. */
    private final int[] largest;

    MaximumTree(int count) {
      leaves = Math.max(1, count);
      added = new int[2 * leaves];
      largest = new int[2 * leaves];
    }

    void increment(int first, int last) {
      int low = first + leaves;
      int high = last + leaves;
      int lowPath = low;
      int highPath = high;
      for (; low <= high; low >>= 1, high >>= 1) {
        if ((low & 1) == 1) {
          incrementNode(low++);
        }
        if ((high & 1) == 0) {
          incrementNode(high--);
        }
        lowPath >>= 1;
        highPath >>= 1;
        refresh(lowPath);
        refresh(highPath);
      }
      // No node above is incremented, so nothing changes above a node that stays the same.
      while (lowPath > 1 && refresh(lowPath >> 1)) {
        lowPath >>= 1;
      }
      while (highPath > 1 && refresh(highPath >> 1)) {
        highPath >>= 1;
      }
    }

    int maximum() {
      return largest[1];
    }

    private void incrementNode(int node) {
      added[node]++;
      largest[node]++;
    }

    /** Computes the largest counter of a node and {@return true if it changed} */
    private boolean refresh(int node) {
      int before = largest[node];
      largest[node] = added[node] + Math.max(largest[2 * node], largest[2 * node + 1]);
      return largest[node] != before;
    }
  }
}
