package dev.stowage.plan.violations;

import dev.stowage.plan.Gap;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of bytes of the arena that a record needs during a range of tasks.
 *
 * @param index the index of this range in the list of all ranges
 * @param record the record's index
 * @param firstTask the first task
 * @param lastTask the last task, inclusive
 * @param startByte the first byte, from the start of the arena
 * @param endByte the byte after the last one; more than {@code startByte}
 */
record PlacedRange(
    int index, int record, long firstTask, long lastTask, long startByte, long endByte) {

  /** {@return the ranges of all records, by record and then by task; none is empty} */
  static List<PlacedRange> of(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    List<PlacedRange> ranges = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      addAll(ranges, i, records.get(i), assignment.offset(i));
    }
    return ranges;
  }

  private static void addAll(
      List<PlacedRange> ranges, int index, TensorUsageRecord record, long offset) {
    long end = offset + record.bytes();
    long before = record.firstTask() - 1; // gap.lastTask() + 1 may overflow
    for (Gap gap : record.gaps()) {
      add(ranges, index, before + 1, gap.firstTask() - 1, offset, end);
      long windowEnd = offset + gap.windowEnd();
      add(ranges, index, gap.firstTask(), gap.lastTask(), offset + gap.windowStart(), windowEnd);
      before = gap.lastTask();
    }
    if (before < record.lastTask()) {
      add(ranges, index, before + 1, record.lastTask(), offset, end);
    }
  }

  private static void add(
      List<PlacedRange> ranges,
      int record,
      long firstTask,
      long lastTask,
      long startByte,
      long endByte) {
    if (firstTask <= lastTask && startByte < endByte) {
      ranges.add(new PlacedRange(ranges.size(), record, firstTask, lastTask, startByte, endByte));
    }
  }

  /** {@return true if another range needs one of these bytes at one of these tasks} */
  boolean overlaps(PlacedRange other) {
    return Math.max(firstTask, other.firstTask) <= Math.min(lastTask, other.lastTask)
        && Math.max(startByte, other.startByte) < Math.min(endByte, other.endByte);
  }
}
