package dev.stowage.plan.greedy;

/** The number of records that are live at each rank, with the maximum of a range of ranks. */
final class LiveCounts {

  /*
   * A segment tree whose node has the number of records that cover all of its ranks, unless they
   * also cover those of its parent, and the maximum at one of its ranks without its ancestors.
   */

  private final int[] covering;
  private final int[] maximums;

  LiveCounts(int ranks) {
    int leaves = Integer.highestOneBit(Math.max(1, 2 * ranks - 1));
    covering = new int[2 * leaves];
    maximums = new int[2 * leaves];
  }

  /** Adds a record: O(log n) for n ranks. */
  void add(int firstRank, int lastRank) {
    add(1, 0, maximums.length / 2 - 1, firstRank, lastRank);
  }

  private void add(int node, int low, int high, int first, int last) {
    if (last < low || high < first) {
      return;
    }
    if (first <= low && high <= last) {
      covering[node]++;
      maximums[node]++;
      return;
    }
    int middle = (low + high) >>> 1;
    add(2 * node, low, middle, first, last);
    add(2 * node + 1, middle + 1, high, first, last);
    maximums[node] = Math.max(maximums[2 * node], maximums[2 * node + 1]) + covering[node];
  }

  /** {@return the most records that are live at one rank of a range: O(log n) for n ranks} */
  int max(int firstRank, int lastRank) {
    return max(1, 0, maximums.length / 2 - 1, firstRank, lastRank);
  }

  private int max(int node, int low, int high, int first, int last) {
    if (last < low || high < first) {
      return 0;
    }
    if (first <= low && high <= last) {
      return maximums[node];
    }
    int middle = (low + high) >>> 1;
    return Math.max(
            max(2 * node, low, middle, first, last),
            max(2 * node + 1, middle + 1, high, first, last))
        + covering[node];
  }
}
