package dev.stowage.plan.search.offsets;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The division of a problem into the records of each {@link Partition}. */
final class PartitionSplit {

  private PartitionSplit() {}

  /** {@return the indices of each partition, ascending; partitions by their first task} */
  static List<int[]> of(PlanProblem problem) {
    List<TensorUsageRecord> all = problem.records();
    int[] byFirstTask = IndexOrder.ascending(all.size(), i -> all.get(i).firstTask());
    List<int[]> partitions = new ArrayList<>();
    int[] partition = new int[all.size()];
    int count = 0;
    long end = -1;
    for (int i : byFirstTask) {
      TensorUsageRecord record = all.get(i);
      if (!needsBytes(record)) {
        continue;
      }
      if (record.firstTask() > end && count > 0) {
        partitions.add(sorted(partition, count));
        count = 0;
      }
      partition[count++] = i;
      end = Math.max(end, record.lastTask());
    }
    if (count > 0) {
      partitions.add(sorted(partition, count));
    }
    return partitions;
  }

  /** {@return true if a record needs some byte at some task, so that it is in a partition} */
  static boolean needsBytes(TensorUsageRecord record) {
    return record.bytes() > 0 && !LiveRange.of(record).isEmpty();
  }

  private static int[] sorted(int[] indices, int count) {
    int[] sorted = Arrays.copyOf(indices, count);
    Arrays.sort(sorted);
    return sorted;
  }
}
