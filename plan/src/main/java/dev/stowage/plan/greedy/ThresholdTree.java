package dev.stowage.plan.greedy;

import java.util.Arrays;
import java.util.function.IntConsumer;

/** A value at each of n positions, searched for values above a threshold. */
final class ThresholdTree {

  /** The value of a position that no search finds. */
  static final long NONE = Long.MIN_VALUE;

  /** Each inner node has the maximum of its two children; the leaves follow the inner nodes. */
  private final long[] maximums;

  private final int leaves;

  ThresholdTree(int count) {
    leaves = Integer.highestOneBit(Math.max(1, 2 * count - 1));
    maximums = new long[2 * leaves];
    Arrays.fill(maximums, NONE);
  }

  /** Sets the value at a position: O(log n). */
  void set(int position, long value) {
    int node = leaves + position;
    maximums[node] = value;
    while (node > 1) {
      node >>= 1;
      long maximum = Math.max(maximums[2 * node], maximums[2 * node + 1]);
      if (maximum == maximums[node]) {
        return;
      }
      maximums[node] = maximum;
    }
  }

  /**
   * Passes on each position of {@code [from, to)} with a value above {@code threshold}, in
   * ascending order: O(log n) for each.
   *
   * <p>The values must not change meanwhile.
   */
  void forEachAbove(int from, int to, long threshold, IntConsumer positions) {
    if (from < to) {
      visit(1, 0, leaves, from, to, threshold, positions);
    }
  }

  /** Visits a node, which has the positions {@code [low, high)}. */
  private void visit(
      int node, int low, int high, int from, int to, long threshold, IntConsumer positions) {
    if (maximums[node] <= threshold || to <= low || high <= from) {
      return;
    }
    if (node >= leaves) {
      positions.accept(low);
      return;
    }
    int middle = (low + high) >>> 1;
    visit(2 * node, low, middle, from, to, threshold, positions);
    visit(2 * node + 1, middle, high, from, to, threshold, positions);
  }

  /**
   * {@return the first position from {@code from} on with a value above {@code threshold}; -1 if
   * there is none}
   */
  int firstAbove(int from, long threshold) {
    if (from >= leaves) {
      return -1;
    }
    int node = leaves + from;
    while (maximums[node] <= threshold) {
      while ((node & 1) == 1) {
        node >>= 1; // a right child or the root
      }
      if (node == 0) {
        return -1;
      }
      node++;
    }
    while (node < leaves) {
      node = maximums[2 * node] > threshold ? 2 * node : 2 * node + 1;
    }
    return node - leaves;
  }

  /**
   * {@return the last position before {@code to} with a value above {@code threshold}; -1 if there
   * is none}
   */
  int lastAbove(int to, long threshold) {
    if (to == 0) {
      return -1;
    }
    int node = leaves + to - 1;
    while (maximums[node] <= threshold) {
      while ((node & 1) == 0) {
        node >>= 1; // a left child
      }
      if (node == 1) {
        return -1;
      }
      node--;
    }
    while (node < leaves) {
      node = maximums[2 * node + 1] > threshold ? 2 * node + 1 : 2 * node;
    }
    return node - leaves;
  }
}
