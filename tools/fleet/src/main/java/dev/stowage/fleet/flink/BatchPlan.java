package dev.stowage.fleet.flink;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The batches of a file of items, most expensive first.
 *
 * <p>Guided self-scheduling: each batch takes a fixed share of the cost that remains. The first
 * batches are large, which saves requests, and the last ones have one item each, so that all
 * subtasks end at about the same time. See Polychronopoulos and Kuck, "Guided Self-Scheduling",
 * IEEE Transactions on Computers, 1987.
 */
final class BatchPlan implements Serializable {

  private static final long serialVersionUID = 1;

  /** A subtask takes at most this part of its share of the remaining cost. */
  private static final int BATCHES_PER_SLOT = 16;

  /** A lost task manager loses the work of one batch for each of its slots. */
  static final int MOST_ITEMS = 256;

  /* Batch i has the bytes from ends[i - 1] to ends[i]. */
  private final long[] ends;
  private final int[] itemCounts;

  private BatchPlan(long[] ends, int[] itemCounts) {
    this.ends = ends;
    this.itemCounts = itemCounts;
  }

  /**
   * Plans batches for some lines.
   *
   * @param costs the cost of each line, not negative and descending
   * @param lineEnds the offset after each line
   * @param slotCount the number of subtasks that run at the same time; positive
   */
  static BatchPlan of(long[] costs, long[] lineEnds, int slotCount) {
    if (slotCount < 1) {
      throw new IllegalArgumentException("slotCount must be positive: slotCount=" + slotCount);
    }
    // Each item costs at least one unit, so that a batch of free items ends, too. Sums may exceed a
    // long.
    double remaining = 0;
    for (long cost : costs) {
      remaining += cost + 1.0;
    }
    long[] ends = new long[costs.length];
    int[] itemCounts = new int[costs.length];
    int batchCount = 0;
    int line = 0;
    while (line < costs.length) {
      double most = remaining / ((double) BATCHES_PER_SLOT * slotCount);
      double taken = 0;
      int first = line;
      do {
        taken += costs[line] + 1.0;
        line++;
      } while (line < costs.length
          && line - first < MOST_ITEMS
          && taken + costs[line] + 1.0 <= most);
      remaining -= taken;
      ends[batchCount] = lineEnds[line - 1];
      itemCounts[batchCount] = line - first;
      batchCount++;
    }
    return new BatchPlan(Arrays.copyOf(ends, batchCount), Arrays.copyOf(itemCounts, batchCount));
  }

  /** {@return the batches in order} */
  List<Batch> batches() {
    List<Batch> batches = new ArrayList<>(ends.length);
    for (int i = 0; i < ends.length; i++) {
      batches.add(new Batch(i, i == 0 ? 0 : ends[i - 1], ends[i], itemCounts[i]));
    }
    return batches;
  }

  /** {@return the number of batches} */
  int batchCount() {
    return ends.length;
  }

  /** {@return the number of items} */
  long itemCount() {
    return Arrays.stream(itemCounts).asLongStream().sum();
  }
}
