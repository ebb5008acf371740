package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;
import java.util.List;

/** An index of the records that are live at the same time as a given one. */
final class LiveRecords {

  /*
   * A tree over the records by first task, with the last task of each subtree: node n has the
   * children 2n and 2n + 1. A query visits O(k log n) nodes for k records.
   */

  private final List<TensorUsageRecord> records;
  private final int[] byFirstTask;
  private final long[] lastTasks;
  private final int leaves;
  private int[] found = new int[16];
  private int count;

  LiveRecords(List<TensorUsageRecord> records) {
    this.records = records;
    byFirstTask = IndexOrder.ascending(records.size(), i -> records.get(i).firstTask());
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, records.size()) * 2 - 1));
    lastTasks = new long[2 * leaves];
    Arrays.fill(lastTasks, -1);
    for (int k = 0; k < byFirstTask.length; k++) {
      lastTasks[leaves + k] = records.get(byFirstTask[k]).lastTask();
    }
    for (int node = leaves - 1; node > 0; node--) {
      lastTasks[node] = Math.max(lastTasks[2 * node], lastTasks[2 * node + 1]);
    }
  }

  /** {@return the records with a task in common with a record, including itself} */
  int[] with(int record) {
    count = 0;
    collect(1, 0, leaves, records.get(record));
    return Arrays.copyOf(found, count);
  }

  private void collect(int node, int first, int width, TensorUsageRecord record) {
    if (lastTasks[node] < record.firstTask()
        || first >= byFirstTask.length
        || records.get(byFirstTask[first]).firstTask() > record.lastTask()) {
      return;
    }
    if (width == 1) {
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = byFirstTask[first];
      return;
    }
    collect(2 * node, first, width / 2, record);
    collect(2 * node + 1, first + width / 2, width / 2, record);
  }
}
