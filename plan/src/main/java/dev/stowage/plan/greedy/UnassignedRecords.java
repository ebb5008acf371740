package dev.stowage.plan.greedy;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The records without an object, by the ranks of the tasks of their lifetimes. */
final class UnassignedRecords {

  /*
   * A priority search tree (McCreight, 1985): the records are sorted by first rank, and a binary
   * tree over them has the largest last rank of each subtree. A record is live at rank t if its
   * first rank is at most t, and its last rank at least t.
   */
  private final int[] byFirstRank;
  private final int[] firstRanks;
  private final int[] maxLastRank;
  private final int leaves;
  private final List<TensorUsageRecord> records;

  UnassignedRecords(List<TensorUsageRecord> records, TaskRanks ranks) {
    this.records = records;
    byFirstRank = IndexOrder.ascending(records.size(), i -> records.get(i).firstTask());
    firstRanks = new int[records.size()];
    leaves = Math.max(1, Integer.highestOneBit(Math.max(1, records.size()) * 2 - 1));
    maxLastRank = new int[2 * leaves];
    Arrays.fill(maxLastRank, -1);
    for (int k = 0; k < byFirstRank.length; k++) {
      TensorUsageRecord record = records.get(byFirstRank[k]);
      firstRanks[k] = ranks.ofFirst(record.firstTask());
      maxLastRank[leaves + k] = ranks.ofLast(record.lastTask());
    }
    for (int node = leaves - 1; node > 0; node--) {
      maxLastRank[node] = Math.max(maxLastRank[2 * node], maxLastRank[2 * node + 1]);
    }
  }

  /** Removes the records live at a rank and {@return them, by descending size, then by index} */
  int[] takeLiveAt(int rank) {
    IntStream.Builder taken = IntStream.builder();
    take(1, 0, leaves, rank, taken);
    int[] live = taken.build().sorted().toArray();
    if (live.length < 2) {
      return live;
    }
    int[] order = IndexOrder.descending(live.length, k -> records.get(live[k]).bytes());
    return Arrays.stream(order).map(k -> live[k]).toArray();
  }

  /** Removes the records live at a rank from the subtree of a node. */
  private void take(int node, int start, int width, int rank, IntStream.Builder taken) {
    if (maxLastRank[node] < rank || firstRanks[start] > rank) {
      return;
    }
    if (width == 1) {
      taken.add(byFirstRank[start]);
      maxLastRank[node] = -1;
      return;
    }
    take(2 * node, start, width / 2, rank, taken);
    if (start + width / 2 < firstRanks.length) {
      take(2 * node + 1, start + width / 2, width / 2, rank, taken);
    }
    maxLastRank[node] = Math.max(maxLastRank[2 * node], maxLastRank[2 * node + 1]);
  }
}
