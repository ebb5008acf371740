package dev.stowage.core.plan.time;

import dev.stowage.core.plan.TensorUsageRecord;
import java.util.List;

/** The pairs of records that are live at one task; records count as live in their gaps. */
public final class LivePairs {

  private LivePairs() {}

  /** {@return the number of pairs; O(n log n)} */
  public static long count(List<TensorUsageRecord> records) {
    long[] firstTasks = records.stream().mapToLong(TensorUsageRecord::firstTask).sorted().toArray();
    long[] lastTasks = records.stream().mapToLong(TensorUsageRecord::lastTask).sorted().toArray();
    long pairs = 0;
    int ended = 0;
    for (int begun = 0; begun < firstTasks.length; begun++) {
      while (lastTasks[ended] < firstTasks[begun]) {
        ended++;
      }
      pairs += begun - ended;
    }
    return pairs;
  }
}
