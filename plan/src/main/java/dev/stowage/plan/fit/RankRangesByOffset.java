package dev.stowage.plan.fit;

import java.util.Arrays;

/**
 * A map from offsets to sets of rank ranges: a hash table with open addressing.
 *
 * <p>For an offset with r ranges, {@link #add} costs O(r) and {@link #overlaps} O(log r).
 */
final class RankRangesByOffset {

  private static final int[] NONE = {};

  private long[] offsets = new long[64];

  /**
   * The first and last rank of each range, alternating, ascending and disjoint; empty in a free
   * slot.
   */
  private int[][] ranges = noRanges(64);

  private int count;

  private static int[][] noRanges(int length) {
    int[][] ranges = new int[length][];
    Arrays.fill(ranges, NONE);
    return ranges;
  }

  /** Adds a range and merges it with the ranges that it overlaps. */
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
    // The new range overlaps the entries [from, to).
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

  /** {@return true if a range at an offset has a rank from {@code first} to {@code last}} */
  boolean overlaps(long offset, int first, int last) {
    int[] atOffset = ranges[slot(offset)];
    int next = firstEndingAtOrAfter(atOffset, first);
    return next < atOffset.length && atOffset[next] <= last;
  }

  /** {@return the array index of the first range that ends at or after a rank} */
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

  /** {@return the slot of an offset; if the table lacks it, the free slot for it} */
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
