package dev.stowage.trace.export;

import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The difference between the segments of an allocator at two moments. Segments have no blocks here.
 *
 * @param gone the segments that were returned, and the ranges that expandable ones lost
 * @param added the new segments, and the ranges that expandable ones gained
 */
record SegmentChanges(List<SnapshotSegment> gone, List<SnapshotSegment> added) {

  /** {@return the changes between two lists of disjoint segments by ascending address} */
  static SegmentChanges between(List<SnapshotSegment> before, List<SnapshotSegment> after) {
    return new SegmentChanges(without(before, after), without(after, before));
  }

  /** {@return the segments that are not among others, and the ranges that others do not have} */
  private static List<SnapshotSegment> without(
      List<SnapshotSegment> segments, List<SnapshotSegment> others) {
    Set<SnapshotSegment> equal = new HashSet<>(others);
    Map<SegmentLane, List<SnapshotSegment>> ranges = new HashMap<>();
    for (SnapshotSegment other : others) {
      if (other.isExpandable()) {
        ranges.computeIfAbsent(other.lane(), _ -> new ArrayList<>()).add(other);
      }
    }
    List<SnapshotSegment> rest = new ArrayList<>();
    for (SnapshotSegment segment : segments) {
      if (segment.isExpandable()) {
        subtract(segment, ranges.getOrDefault(segment.lane(), List.of()), rest);
      } else if (!equal.contains(segment)) {
        rest.add(segment);
      }
    }
    return rest;
  }

  /** Adds the parts of a range that others do not cover. */
  private static void subtract(
      SnapshotSegment range, List<SnapshotSegment> others, List<SnapshotSegment> rest) {
    long start = range.address();
    long end = range.address() + range.bytes();
    for (SnapshotSegment other : others) {
      long otherEnd = other.address() + other.bytes();
      if (otherEnd > start && other.address() < end) {
        if (other.address() > start) {
          rest.add(part(range, start, other.address()));
        }
        start = otherEnd;
      }
    }
    if (start < end) {
      rest.add(part(range, start, end));
    }
  }

  private static SnapshotSegment part(SnapshotSegment range, long start, long end) {
    return new SnapshotSegment(start, end - start, range.lane(), true, range.stack(), List.of());
  }
}
