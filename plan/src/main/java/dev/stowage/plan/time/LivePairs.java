package dev.stowage.plan.time;

import dev.stowage.plan.TensorUsageRecord;
import java.util.List;

/** Counts the pairs of records that are live at a common task; gaps are ignored. */
public final class LivePairs {

  private LivePairs() {}

  /** {@return the number of pairs; O(n log n)} */
  public static long count(List<TensorUsageRecord> records) {
    long[] firstTasks = records.stream().mapToLong(TensorUsageRecord::firstTask).sorted().toArray();
    long[] lastTasks = records.stream().mapToLong(TensorUsageRecord::lastTask).sorted().toArray();
    long pairs = 0;
    int ended = 0;
    for (int started = 0; started < firstTasks.length; started++) {
      while (lastTasks[ended] < firstTasks[started]) {
        ended++;
      }
      pairs += started - ended;
    }
    return pairs;
  }
}
