package dev.stowage.memory.synced;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A set of a buffer's bytes, as ranges that do not touch; not safe for use by many threads. */
final class ByteRanges {

  /*
   * No more than MOST ranges are kept: a copy has a price of its own, so that many small ones cost
   * more than the gaps between them. Of more, the two with the smallest gap become one, the lowest
   * of equal ones; so the set may hold bytes that were never added, and never lacks one.
   */

  private static final int MOST = 16;

  private final TreeMap<Long, Long> endByStart = new TreeMap<>();

  /**
   * A range.
   *
   * @param offset its first byte
   * @param bytes its size; positive
   */
  record ByteRange(long offset, long bytes) {

    long end() {
      return offset + bytes;
    }
  }

  /** Adds a range, which may be empty. */
  void add(long offset, long bytes) {
    if (bytes == 0) {
      return;
    }
    long start = offset;
    long end = offset + bytes;
    Map.Entry<Long, Long> near = endByStart.floorEntry(end);
    while (near != null && near.getValue() >= start) {
      start = Math.min(start, near.getKey());
      end = Math.max(end, near.getValue());
      endByStart.remove(near.getKey());
      near = endByStart.floorEntry(end);
    }
    endByStart.put(start, end);
    if (endByStart.size() > MOST) {
      closeSmallestGap();
    }
  }

  private void closeSmallestGap() {
    List<ByteRange> all = list();
    int closed = 1;
    for (int i = 2; i < all.size(); i++) {
      if (gapBefore(all, i) < gapBefore(all, closed)) {
        closed = i;
      }
    }
    endByStart.remove(all.get(closed).offset());
    endByStart.put(all.get(closed - 1).offset(), all.get(closed).end());
  }

  private static long gapBefore(List<ByteRange> all, int index) {
    return all.get(index).offset() - all.get(index - 1).end();
  }

  void clear() {
    endByStart.clear();
  }

  /** {@return the ranges, by ascending offset} */
  List<ByteRange> list() {
    List<ByteRange> ranges = new ArrayList<>();
    endByStart.forEach((start, end) -> ranges.add(new ByteRange(start, end - start)));
    return ranges;
  }
}
