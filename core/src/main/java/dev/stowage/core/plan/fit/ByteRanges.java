package dev.stowage.core.plan.fit;

import java.util.Arrays;

/** A set of bytes as ascending ranges that neither overlap nor touch. */
final class ByteRanges {

  /** Start and end of each range, in turn. */
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

  /** {@return the first range, from {@code from} on, that ends behind {@code offset}} */
  int firstEndingAfter(long offset, int from) {
    // Gallop: a caller's offsets ascend, and the next range is nearly always close.
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

  /** Adds the bytes from {@code start} to {@code end}; costs O(ranges) at worst. */
  void add(long start, long end) {
    // [first, last) are the ranges that the new one overlaps or touches, and takes in.
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

  /** Makes room for one range in place of {@code [first, last)}. */
  private void replace(int first, int last) {
    int newCount = count - (last - first) + 1;
    if (2 * newCount > edges.length) {
      edges = Arrays.copyOf(edges, 2 * edges.length);
    }
    System.arraycopy(edges, 2 * last, edges, 2 * (first + 1), 2 * (count - last));
    count = newCount;
  }
}
