package dev.stowage.plan.search.offsets;

import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The lifetimes of some records, with a search for lifetimes that overlap a range of ranks.
 *
 * <p>An interval tree without pointers (Cormen et al., "Introduction to Algorithms", section 14.3):
 * the records by first rank, in blocks, with the largest last rank of each group of blocks.
 */
final class LifetimeTree {

  private static final int BLOCK_SHIFT = 4;

  /** The records, by first rank. */
  private final int[] records;

  private final int[] firsts;
  private final int[] lasts;

  private final int leafCount;

  /** The largest last rank below each node of a binary tree over the blocks. */
  private final int[] maxLasts;

  /**
   * Creates a tree.
   *
   * @param records the records; their lifetimes are {@code first[i]} to {@code last[i]}
   */
  LifetimeTree(int[] records, int[] first, int[] last) {
    int[] order = IndexOrder.ascending(records.length, k -> first[records[k]]);
    this.records = Arrays.stream(order).map(k -> records[k]).toArray();
    firsts = Arrays.stream(this.records).map(i -> first[i]).toArray();
    lasts = Arrays.stream(this.records).map(i -> last[i]).toArray();
    int blocks = Math.max(1, (records.length + (1 << BLOCK_SHIFT) - 1) >> BLOCK_SHIFT);
    leafCount = blocks == 1 ? 1 : 2 * Integer.highestOneBit(blocks - 1);
    maxLasts = new int[2 * leafCount];
    Arrays.fill(maxLasts, -1);
    for (int at = 0; at < lasts.length; at++) {
      int leaf = leafCount + (at >> BLOCK_SHIFT);
      maxLasts[leaf] = Math.max(maxLasts[leaf], lasts[at]);
    }
    for (int node = leafCount - 1; node > 0; node--) {
      maxLasts[node] = Math.max(maxLasts[2 * node], maxLasts[2 * node + 1]);
    }
  }

  /** Passes on the records that are live at some rank from {@code from} to {@code to}. */
  void overlapping(int from, int to, IntConsumer record) {
    overlapping(1, 0, leafCount, from, to, record);
  }

  private void overlapping(
      int node, int firstBlock, int endBlock, int from, int to, IntConsumer record) {
    int start = firstBlock << BLOCK_SHIFT;
    if (start >= firsts.length || firsts[start] > to || maxLasts[node] < from) {
      return;
    }
    if (node >= leafCount) {
      int end = Math.min(firsts.length, endBlock << BLOCK_SHIFT);
      for (int at = start; at < end && firsts[at] <= to; at++) {
        if (lasts[at] >= from) {
          record.accept(records[at]);
        }
      }
      return;
    }
    int middle = (firstBlock + endBlock) >>> 1;
    overlapping(2 * node, firstBlock, middle, from, to, record);
    overlapping(2 * node + 1, middle, endBlock, from, to, record);
  }
}
