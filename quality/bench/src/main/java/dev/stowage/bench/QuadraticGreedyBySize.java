package dev.stowage.bench;

import dev.stowage.plan.TensorUsageRecord;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * GREEDY_BY_SIZE offsets with the algorithm of the original, which scans all placed records for
 * each record.
 *
 * <p>It is the baseline for the strategy. It uses flat arrays, so that only the algorithms differ.
 */
final class QuadraticGreedyBySize {

  private final long[] bytes;
  private final long[] firstTasks;
  private final long[] lastTasks;

  QuadraticGreedyBySize(List<TensorUsageRecord> records) {
    bytes = records.stream().mapToLong(TensorUsageRecord::bytes).toArray();
    firstTasks = records.stream().mapToLong(TensorUsageRecord::firstTask).toArray();
    lastTasks = records.stream().mapToLong(TensorUsageRecord::lastTask).toArray();
  }

  /** {@return the size of the arena} */
  long plan() {
    int[] order =
        IntStream.range(0, bytes.length)
            .boxed()
            .sorted(Comparator.comparingLong(i -> -bytes[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] placed = new int[bytes.length];
    long[] offsets = new long[bytes.length];
    long total = 0;
    for (int count = 0; count < order.length; count++) {
      int i = order[count];
      offsets[i] = offset(i, placed, count, offsets);
      int k = count;
      for (; k > 0 && offsets[placed[k - 1]] > offsets[i]; k--) {
        placed[k] = placed[k - 1];
      }
      placed[k] = i;
      total = Math.max(total, offsets[i] + bytes[i]);
    }
    return total;
  }

  private long offset(int i, int[] placed, int count, long[] offsets) {
    long free = 0;
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    for (int k = 0; k < count; k++) {
      int a = placed[k];
      if (firstTasks[a] <= lastTasks[i] && firstTasks[i] <= lastTasks[a]) {
        long gap = offsets[a] - free;
        if (gap >= bytes[i] && gap < bestGap) {
          bestGap = gap;
          best = free;
        }
        free = Math.max(free, offsets[a] + bytes[a]);
      }
    }
    return best >= 0 ? best : free;
  }
}
