package dev.stowage.memory.synced;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A set of bytes of a buffer, as ranges with gaps between them; not safe for use by many threads.
 */
final class ByteRanges {

  /*
   * At most MAX_RANGES are kept, because each copy has a fixed cost, and many small copies take longer
   * than one copy with the gaps. Beyond that, the two ranges with the smallest gap are joined; of equal
   * gaps, the lowest. The set can therefore contain bytes that were never added, and lacks none.
   */

  private static final int MAX_RANGES = 16;

  private final TreeMap<Long, Long> endByStart = new TreeMap<>();

  /**
   * A range.
   *
   * @param offset the first byte
   * @param bytes the size; positive
   */
  record ByteRange(long offset, long bytes) {

    long end() {
      return offset + bytes;
    }
  }

  /** Adds a range, which can be empty. */
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
    if (endByStart.size() > MAX_RANGES) {
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
