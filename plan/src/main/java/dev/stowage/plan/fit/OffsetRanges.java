package dev.stowage.plan.fit;

import java.util.Arrays;

/** A set of bytes as ascending ranges that neither overlap nor touch. */
final class OffsetRanges {

  /** The start and end of each range, alternating. */
  private long[] edges = new long[4];

  private int count;

  int count() {
    return count;
  }

  long start(int range) {
    return edges[2 * range];
  }

  long end(int range) {
    return edges[2 * range + 1];
  }

  /**
   * {@return the index of the first range that ends above {@code offset}}
   *
   * @param from no range before this one ends above {@code offset}
   */
  int firstEndingAfter(long offset, int from) {
    // A galloping search: callers ask for ascending offsets, so the next range is usually close.
    int step = 1;
    int low = from;
    while (low + step < count && end(low + step) <= offset) {
      low += step;
      step *= 2;
    }
    int high = Math.min(low + step, count);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (end(middle) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Adds the bytes {@code [start, end)}; O(n) for n ranges. */
  void add(long start, long end) {
    // The new range overlaps or touches the ranges [first, last) and replaces them.
    int first = firstEndingAfter(start - 1, 0);
    int last = first;
    long newStart = start;
    long newEnd = end;
    while (last < count && start(last) <= end) {
      newStart = Math.min(newStart, start(last));
      newEnd = Math.max(newEnd, end(last));
      last++;
    }
    replace(first, last);
    edges[2 * first] = newStart;
    edges[2 * first + 1] = newEnd;
  }

  /** Replaces the entries of the ranges {@code [first, last)} by the entry of one range. */
  private void replace(int first, int last) {
    int newCount = count - (last - first) + 1;
    if (2 * newCount > edges.length) {
      edges = Arrays.copyOf(edges, 2 * edges.length);
    }
    System.arraycopy(edges, 2 * last, edges, 2 * (first + 1), 2 * (count - last));
    count = newCount;
  }
}
