package dev.stowage.core.plan.fit;

import java.util.Arrays;

/**
 * Ranges of ranks for each of many offsets, in a hash table.
 *
 * <p>Adding a range costs O(r) for the r ranges of its offset, looking for one O(log r).
 */
final class RankRangesByOffset {

  private static final int[] NONE = {};

  private long[] offsets = new long[64];

  /**
   * First and last rank of each range, in turn, ascending and disjoint; empty where no offset is.
   */
  private int[][] ranges = noRanges(64);

  private int count;

  private static int[][] noRanges(int length) {
    int[][] ranges = new int[length][];
    Arrays.fill(ranges, NONE);
    return ranges;
  }

  /** Adds a range; it takes in the ranges that it overlaps. */
  void add(long offset, int first, int last) {
    if (2 * count >= offsets.length) {
      grow();
    }
    int slot = slot(offset);
    int[] before = ranges[slot];
    if (before.length == 0) {
      offsets[slot] = offset;
      ranges[slot] = new int[] {first, last};
      count++;
      return;
    }
    // [from, to) are the ranges that the new one overlaps.
    int from = firstEndingAtOrAfter(before, first);
    int to = from;
    while (to < before.length && before[to] <= last) {
      to += 2;
    }
    int[] after = new int[before.length - (to - from) + 2];
    System.arraycopy(before, 0, after, 0, from);
    after[from] = to > from ? Math.min(first, before[from]) : first;
    after[from + 1] = to > from ? Math.max(last, before[to - 1]) : last;
    System.arraycopy(before, to, after, from + 2, before.length - to);
    ranges[slot] = after;
  }

  /** {@return true if some range of an offset has a rank from first to last} */
  boolean meets(long offset, int first, int last) {
    int[] there = ranges[slot(offset)];
    int next = firstEndingAtOrAfter(there, first);
    return next < there.length && there[next] <= last;
  }

  /** {@return the index of the first range that ends at or after a rank} */
  private static int firstEndingAtOrAfter(int[] ranges, int rank) {
    int low = 0;
    int high = ranges.length / 2;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges[2 * middle + 1] < rank) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return 2 * low;
  }

  /** {@return the slot of an offset, or the free slot for it} */
  private int slot(long offset) {
    int mask = offsets.length - 1;
    int slot = (int) ((offset * 0x9E37_79B9_7F4A_7C15L) >>> 40) & mask;
    while (ranges[slot].length > 0 && offsets[slot] != offset) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    long[] oldOffsets = offsets;
    int[][] oldRanges = ranges;
    offsets = new long[2 * oldOffsets.length];
    ranges = noRanges(offsets.length);
    for (int k = 0; k < oldOffsets.length; k++) {
      if (oldRanges[k].length > 0) {
        int slot = slot(oldOffsets[k]);
        offsets[slot] = oldOffsets[k];
        ranges[slot] = oldRanges[k];
      }
    }
  }
}
