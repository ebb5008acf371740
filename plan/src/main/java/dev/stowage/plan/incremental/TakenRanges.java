package dev.stowage.plan.incremental;

import dev.stowage.plan.base.Alignment;
import java.util.Arrays;

/** The bytes that some records occupy, as ascending ranges that neither overlap nor touch. */
final class TakenRanges {

  /*
   * The records that overlap one record usually form few ranges, since most of them touch another
   * one. A linear search from the end finds the place of a record in a few steps. For so few ranges,
   * this takes a quarter less time than the search of `OffsetRanges` in package `fit`.
   */

  private long[] starts = new long[16];
  private long[] ends = new long[16];
  private int count;

  void clear() {
    count = 0;
  }

  /** Adds the bytes {@code [start, end)}, at least one. O(n) for n ranges. */
  void add(long start, long end) {
    // The new range overlaps or touches the ranges [from, to) and replaces them.
    int to = count;
    while (to > 0 && starts[to - 1] > end) {
      to--;
    }
    int from = to;
    while (from > 0 && ends[from - 1] >= start) {
      from--;
    }
    if (from == to) {
      insert(from, start, end);
    } else {
      starts[from] = Math.min(starts[from], start);
      ends[from] = Math.max(ends[to - 1], end);
      remove(from + 1, to);
    }
  }

  private void insert(int at, long start, long end) {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
    }
    System.arraycopy(starts, at, starts, at + 1, count - at);
    System.arraycopy(ends, at, ends, at + 1, count - at);
    starts[at] = start;
    ends[at] = end;
    count++;
  }

  private void remove(int from, int to) {
    if (from < to) {
      System.arraycopy(starts, to, starts, from, count - to);
      System.arraycopy(ends, to, ends, from, count - to);
      count -= to - from;
    }
  }

  /**
   * {@return the start of the smallest gap of at least {@code bytes}, the lowest of equal ones; if
   * there is no such gap, the aligned end of the ranges}
   *
   * <p>A gap starts at a multiple of the alignment and ends at the start of a range.
   *
   * @param bytes positive
   */
  long tightestGap(long bytes, long alignment) {
    long free = 0;
    long best = -1;
    long bestBytes = Long.MAX_VALUE;
    for (int k = 0; k < count; k++) {
      long gapBytes = starts[k] - free;
      if (gapBytes >= bytes && gapBytes < bestBytes) {
        best = free;
        bestBytes = gapBytes;
      }
      free = Alignment.up(ends[k], alignment);
    }
    return best >= 0 ? best : free;
  }
}
