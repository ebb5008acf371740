package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SegmentLane;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The addresses at which the expandable segments of a recording start.
 *
 * <p>A recording shows which ranges get memory, but not which addresses the allocator reserves. All
 * ranges with the same stream, pool and kind of requests are in one segment. The allocator ends a
 * segment that has no memory left, and the next range starts another segment. The start of a
 * segment is the lowest address that gets memory, even if higher addresses get memory earlier.
 */
final class ExpandableStarts {

  /** A segment that has memory. */
  private static final class Reservation {

    final SegmentLane lane;
    final List<Long> ranges = new ArrayList<>();
    long start = Long.MAX_VALUE;
    long mappedBytes;

    Reservation(SegmentLane lane) {
      this.lane = lane;
    }
  }

  private final Map<SegmentLane, Reservation> current = new HashMap<>();

  /** The segments by the address of each range that got memory. */
  private final TreeMap<Long, Reservation> byRange = new TreeMap<>();

  private final List<Long> ended = new ArrayList<>();

  /** Adds a range that has memory from now on. */
  void map(SegmentLane lane, long address, long bytes) {
    Reservation segment = current.computeIfAbsent(lane, Reservation::new);
    segment.start = Math.min(segment.start, address);
    segment.mappedBytes += bytes;
    segment.ranges.add(address);
    byRange.put(address, segment);
  }

  /** Removes the memory of a range of one segment. */
  void unmap(long address, long bytes) {
    Map.Entry<Long, Reservation> range = byRange.floorEntry(address);
    if (range == null) {
      return;
    }
    Reservation segment = range.getValue();
    segment.mappedBytes -= bytes;
    if (segment.mappedBytes <= 0) {
      ended.add(segment.start);
      current.remove(segment.lane);
      segment.ranges.forEach(byRange::remove);
    }
  }

  /** {@return the addresses, perhaps with duplicates} */
  List<Long> starts() {
    List<Long> starts = new ArrayList<>(ended);
    current.values().forEach(segment -> starts.add(segment.start));
    return starts;
  }
}
