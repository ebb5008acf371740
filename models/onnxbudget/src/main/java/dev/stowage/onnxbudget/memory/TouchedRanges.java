package dev.stowage.onnxbudget.memory;

import java.util.Map;
import java.util.TreeMap;

/** A set of addresses, as disjoint ranges. An operation takes O(log n) and O(removed ranges). */
final class TouchedRanges {

  /** The ends of the ranges by their starts. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  private long bytes;

  /** Creates an empty set. */
  TouchedRanges() {}

  /** Adds the addresses of a range. */
  void add(long start, long end) {
    long first = start;
    long last = end;
    Map.Entry<Long, Long> range = ranges.floorEntry(end);
    while (range != null && range.getValue() >= first) {
      first = Math.min(first, range.getKey());
      last = Math.max(last, range.getValue());
      bytes -= range.getValue() - range.getKey();
      ranges.remove(range.getKey());
      range = ranges.floorEntry(last);
    }
    ranges.put(first, last);
    bytes += last - first;
  }

  /** Removes the addresses of a range. */
  void remove(long start, long end) {
    Map.Entry<Long, Long> range = ranges.lowerEntry(end);
    while (range != null && range.getValue() > start) {
      long first = range.getKey();
      long last = range.getValue();
      ranges.remove(first);
      bytes -= last - first;
      if (first < start) {
        ranges.put(first, start);
        bytes += start - first;
      }
      if (last > end) {
        ranges.put(end, last);
        bytes += last - end;
      }
      range = first < start ? null : ranges.lowerEntry(end);
    }
  }

  /** {@return the number of addresses} */
  long bytes() {
    return bytes;
  }
}
