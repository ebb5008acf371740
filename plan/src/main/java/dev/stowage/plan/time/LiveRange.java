package dev.stowage.plan.time;

import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of a record's bytes that is needed during a range of tasks.
 *
 * @param firstTask the first task
 * @param lastTask the last task, inclusive
 * @param startByte the first byte needed, counted from the record's offset
 * @param endByte the byte after the last one needed
 */
public record LiveRange(long firstTask, long lastTask, long startByte, long endByte) {

  /**
   * {@return the ranges of tasks and bytes that a record needs: its lifetime, cut at the gaps}
   *
   * @param record the record
   */
  public static List<LiveRange> of(TensorUsageRecord record) {
    if (record.gaps().isEmpty()) {
      return List.of(new LiveRange(record.firstTask(), record.lastTask(), 0, record.bytes()));
    }
    List<LiveRange> ranges = new ArrayList<>();
    long from = record.firstTask();
    for (Gap gap : record.gaps()) {
      addUnlessEmpty(ranges, new LiveRange(from, gap.firstTask() - 1, 0, record.bytes()));
      addUnlessEmpty(
          ranges,
          new LiveRange(gap.firstTask(), gap.lastTask(), gap.windowStart(), gap.windowEnd()));
      if (gap.lastTask() == record.lastTask()) {
        return ranges; // lastTask + 1 may overflow
      }
      from = gap.lastTask() + 1;
    }
    addUnlessEmpty(ranges, new LiveRange(from, record.lastTask(), 0, record.bytes()));
    return ranges;
  }

  private static void addUnlessEmpty(List<LiveRange> ranges, LiveRange range) {
    if (range.firstTask <= range.lastTask && range.startByte < range.endByte) {
      ranges.add(range);
    }
  }

  /** {@return the number of bytes needed} */
  public long bytes() {
    return endByte - startByte;
  }
}
