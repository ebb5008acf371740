package dev.stowage.core.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Looks for two records of an offsets assignment that need one byte at one task. */
final class OverlapSweep {

  /*
   * Walks the tasks with the live ranges of bytes sorted by address. Before the first overlap of two
   * movable records their ranges are disjoint, so that a range that comes overlaps a neighbour or
   * nothing. Pinned records may overlap each other; then they are looked at behind one another, as
   * far as they reach.
   */

  /**
   * Two records that need one byte at one task.
   *
   * @param first the one that was there
   * @param second the one that came
   * @param task when it came
   */
  record Overlap(int first, int second, long task) {}

  /** Bytes of the arena that a record takes from one task to another. */
  private record PlacedRange(
      int record, boolean pinned, long firstTask, long lastTask, long startByte, long endByte) {}

  private final boolean amongPins;
  private final LiveSet movable = new LiveSet();
  private final LiveSet pinned = new LiveSet();

  private OverlapSweep(boolean amongPins) {
    this.amongPins = amongPins;
  }

  /** {@return the first overlap of two records of which one may be moved} */
  static Optional<Overlap> ofPlan(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    return new OverlapSweep(false).firstOverlap(placedRanges(records, assignment));
  }

  /** {@return the first overlap of two records that are both pinned} */
  static Optional<Overlap> ofPins(List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    return new OverlapSweep(true).firstOverlap(placedRanges(records, assignment));
  }

  private Optional<Overlap> firstOverlap(List<PlacedRange> ranges) {
    List<PlacedRange> byLastTask = new ArrayList<>(ranges);
    byLastTask.sort(Comparator.comparingLong(PlacedRange::lastTask));
    ranges.sort(Comparator.comparingLong(PlacedRange::firstTask));
    int ended = 0;
    for (PlacedRange range : ranges) {
      for (; byLastTask.get(ended).lastTask < range.firstTask; ended++) {
        liveSet(byLastTask.get(ended)).remove(byLastTask.get(ended));
      }
      Optional<PlacedRange> other = overlapping(range);
      if (other.isPresent()) {
        return Optional.of(new Overlap(other.get().record, range.record, range.firstTask));
      }
      liveSet(range).add(range);
    }
    return Optional.empty();
  }

  private LiveSet liveSet(PlacedRange range) {
    return range.pinned ? pinned : movable;
  }

  private Optional<PlacedRange> overlapping(PlacedRange range) {
    if (amongPins) {
      return pinned.overlapping(range);
    }
    Optional<PlacedRange> other = movable.overlapping(range);
    return other.isEmpty() && !range.pinned ? pinned.overlapping(range) : other;
  }

  private static List<PlacedRange> placedRanges(
      List<TensorUsageRecord> records, OffsetsAssignment assignment) {
    List<PlacedRange> ranges = new ArrayList<>(records.size());
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      long offset = assignment.offset(i);
      long end = offset + record.bytes();
      long before = record.firstTask() - 1; // what is after a gap may be after all tasks
      for (Gap gap : record.gaps()) {
        if (before < gap.firstTask() - 1) {
          add(ranges, i, record, before + 1, gap.firstTask() - 1, offset, end);
        }
        long windowEnd = offset + gap.windowEnd();
        add(
            ranges,
            i,
            record,
            gap.firstTask(),
            gap.lastTask(),
            offset + gap.windowStart(),
            windowEnd);
        before = gap.lastTask();
      }
      if (before < record.lastTask()) {
        add(ranges, i, record, before + 1, record.lastTask(), offset, end);
      }
    }
    return ranges;
  }

  private static void add(
      List<PlacedRange> ranges,
      int index,
      TensorUsageRecord record,
      long firstTask,
      long lastTask,
      long startByte,
      long endByte) {
    if (startByte < endByte) {
      boolean pinned = record.pinnedOffset().isPresent();
      ranges.add(new PlacedRange(index, pinned, firstTask, lastTask, startByte, endByte));
    }
  }

  /** Live ranges by address. */
  private static final class LiveSet {

    private final TreeMap<Long, List<PlacedRange>> byStart = new TreeMap<>();

    /** No range was larger than this. */
    private long largestBytes;

    private boolean disjoint = true;

    void add(PlacedRange range) {
      disjoint = disjoint && overlapping(range).isEmpty();
      byStart.computeIfAbsent(range.startByte, start -> new ArrayList<>(1)).add(range);
      largestBytes = Math.max(largestBytes, range.endByte - range.startByte);
    }

    void remove(PlacedRange range) {
      List<PlacedRange> same = byStart.get(range.startByte);
      if (same != null && same.remove(range) && same.isEmpty()) {
        byStart.remove(range.startByte);
      }
    }

    /** O(log n) while ranges are disjoint; of overlapping ones all within reach are looked at. */
    Optional<PlacedRange> overlapping(PlacedRange range) {
      Map.Entry<Long, List<PlacedRange>> below = byStart.lowerEntry(range.endByte);
      while (below != null && below.getKey() > range.startByte - largestBytes) {
        for (PlacedRange other : below.getValue()) {
          if (other.endByte > range.startByte) {
            return Optional.of(other);
          }
        }
        if (disjoint) {
          return Optional.empty();
        }
        below = byStart.lowerEntry(below.getKey());
      }
      return Optional.empty();
    }
  }
}
