package dev.stowage.plan.incremental;

import dev.stowage.plan.text.Message;

/** The live bytes at each task, and their maximum. */
final class LoadTree {

  /*
   * A segment tree over the tasks. `added` has the bytes that were added to all tasks of a node, and
   * `maximums` the maximum over the tasks of the node, without the bytes added to its ancestors. The
   * root is node 1, and task t is the leaf `leaves + t`.
   *
   *   C1  The maximum of a leaf is its `added`. The maximum of another node is its `added` plus
   *       the larger maximum of its children.
   *
   * Adding costs O(log t) for t tasks, and the maximum O(1).
   */

  private final int leaves;
  private final long[] added;
  private final long[] maximums;

  LoadTree(int taskCount) {
    leaves = Integer.highestOneBit(Math.max(1, 2 * taskCount - 1));
    added = new long[2 * leaves];
    maximums = new long[2 * leaves];
  }

  /** {@return the largest number of live bytes at one task} */
  long maximum() {
    return maximums[1];
  }

  /** Adds bytes, which may be negative, to the tasks from {@code first} to {@code last}. */
  void add(int first, int last, long bytes) {
    int low = leaves + first;
    int high = leaves + last;
    addToNode(low, bytes);
    if (low != high) {
      addToNode(high, bytes);
    }
    // The tasks of `low` and `high` have the bytes, those between the two nodes not yet.
    while (low >> 1 != high >> 1) {
      if ((low & 1) == 0) {
        addToNode(low + 1, bytes);
      }
      if ((high & 1) == 1) {
        addToNode(high - 1, bytes);
      }
      low >>= 1;
      high >>= 1;
      updateMaximum(low);
      updateMaximum(high);
    }
    for (int node = low >> 1; node > 0; node >>= 1) {
      updateMaximum(node);
    }
  }

  private void addToNode(int node, long bytes) {
    added[node] += bytes;
    maximums[node] += bytes;
  }

  private void updateMaximum(int node) {
    maximums[node] = added[node] + Math.max(maximums[2 * node], maximums[2 * node + 1]);
  }

  void checkInvariants() {
    for (int node = 1; node < maximums.length; node++) {
      long below = node < leaves ? Math.max(maximums[2 * node], maximums[2 * node + 1]) : 0;
      if (maximums[node] != added[node] + below) {
        throw new AssertionError(Message.of("C1 maximum of node %d: %d", node, maximums[node]));
      }
    }
  }
}
