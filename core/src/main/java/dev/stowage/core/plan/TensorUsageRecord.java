package dev.stowage.core.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A tensor's need for memory: how many bytes, from which task to which.
 *
 * <p>Two records conflict, and may share no byte, when some task lies within both lifetimes.
 *
 * @param bytes how many bytes the tensor takes; zero is allowed
 * @param firstTask the task that produces the tensor
 * @param lastTask the last task that needs it, inclusive
 * @param alignment its offset is a multiple of this; it need not be a power of two
 * @param pinnedOffset the offset that it must have, where it may not be moved
 * @param hint an offset that a caller suggests; {@link
 *     dev.stowage.core.plan.strategy.MemoryStrategy#OPTIMAL} takes it where that makes no larger
 *     arena than any plan that it finds
 * @param gaps when it needs no memory, or only some of it; in ascending order of tasks
 */
public record TensorUsageRecord(
    long bytes,
    long firstTask,
    long lastTask,
    long alignment,
    OptionalLong pinnedOffset,
    OptionalLong hint,
    List<Gap> gaps) {

  /**
   * A record with everything that a problem can say of it.
   *
   * @throws IllegalArgumentException if {@code bytes < 0}, {@code firstTask < 0}, {@code firstTask
   *     > lastTask}, {@code alignment < 1}, the pinned offset is negative or not a multiple of the
   *     alignment, a gap leaves the lifetime or overlaps another, or a window leaves the bytes
   */
  public TensorUsageRecord {
    if (bytes < 0) {
      throw new IllegalArgumentException("a record has a negative size: bytes=" + bytes);
    }
    if (firstTask < 0) {
      throw new IllegalArgumentException("a record starts before task 0: firstTask=" + firstTask);
    }
    if (firstTask > lastTask) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a record ends before it starts: firstTask=%d, lastTask=%d",
              firstTask,
              lastTask));
    }
    if (alignment < 1) {
      throw new IllegalArgumentException("an alignment is below 1: alignment=" + alignment);
    }
    if (pinnedOffset.isPresent()) {
      checkPin(pinnedOffset.getAsLong(), alignment);
    }
    gaps = checkedGaps(gaps, bytes, firstTask, lastTask);
  }

  /**
   * {@return a record that may lie anywhere}
   *
   * @param bytes how many bytes the tensor takes
   * @param firstTask the task that produces it
   * @param lastTask the last task that needs it, inclusive
   * @throws IllegalArgumentException if {@code bytes < 0}, {@code firstTask < 0} or {@code
   *     firstTask > lastTask}
   */
  public static TensorUsageRecord of(long bytes, long firstTask, long lastTask) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, 1, OptionalLong.empty(), OptionalLong.empty(), List.of());
  }

  /**
   * {@return this record with an alignment of its offset}
   *
   * @param newAlignment any positive number
   * @throws IllegalArgumentException if {@code newAlignment < 1}, or this record is pinned to an
   *     offset that is no multiple of it
   */
  public TensorUsageRecord withAlignment(long newAlignment) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, newAlignment, pinnedOffset, hint, gaps);
  }

  /**
   * {@return this record, pinned to an offset}
   *
   * @param offset where it must lie, in bytes from the start of the tensor arena
   * @throws IllegalArgumentException if {@code offset < 0} or {@code offset % alignment != 0}
   */
  public TensorUsageRecord pinnedAt(long offset) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, alignment, OptionalLong.of(offset), hint, gaps);
  }

  /**
   * {@return this record with a suggested offset}
   *
   * @param offset the suggestion
   */
  public TensorUsageRecord withHint(long offset) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, alignment, pinnedOffset, OptionalLong.of(offset), gaps);
  }

  /**
   * {@return this record with gaps}
   *
   * @param newGaps disjoint gaps within the lifetime, in any order
   * @throws IllegalArgumentException if a gap leaves the lifetime or overlaps another, or its
   *     window leaves the bytes
   */
  public TensorUsageRecord withGaps(List<Gap> newGaps) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, alignment, pinnedOffset, hint, newGaps);
  }

  /**
   * {@return the bytes of this record that are live at a task: all, those of a gap's window, or 0}
   *
   * @param task any task
   */
  public long bytesNeededAt(long task) {
    if (task < firstTask || task > lastTask) {
      return 0;
    }
    for (Gap gap : gaps) {
      if (gap.firstTask() <= task && task <= gap.lastTask()) {
        return gap.windowBytes();
      }
    }
    return bytes;
  }

  /** {@return the lifetime cut at the gaps; what needs no byte is left out} */
  public List<LiveRange> liveRanges() {
    if (gaps.isEmpty()) {
      return List.of(new LiveRange(firstTask, lastTask, 0, bytes));
    }
    List<LiveRange> ranges = new ArrayList<>();
    long from = firstTask;
    for (Gap gap : gaps) {
      addUnlessEmpty(ranges, new LiveRange(from, gap.firstTask() - 1, 0, bytes));
      addUnlessEmpty(
          ranges,
          new LiveRange(gap.firstTask(), gap.lastTask(), gap.windowStart(), gap.windowEnd()));
      if (gap.lastTask() == lastTask) {
        return ranges; // there may be no task behind it
      }
      from = gap.lastTask() + 1;
    }
    addUnlessEmpty(ranges, new LiveRange(from, lastTask, 0, bytes));
    return ranges;
  }

  private static void addUnlessEmpty(List<LiveRange> ranges, LiveRange range) {
    if (range.firstTask() <= range.lastTask() && range.startByte() < range.endByte()) {
      ranges.add(range);
    }
  }

  private static void checkPin(long offset, long alignment) {
    if (offset < 0) {
      throw new IllegalArgumentException("a pinned offset is negative: offset=" + offset);
    }
    if (offset % alignment != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a pinned offset is not a multiple of its alignment: offset=%d, alignment=%d",
              offset,
              alignment));
    }
  }

  private static List<Gap> checkedGaps(List<Gap> gaps, long bytes, long firstTask, long lastTask) {
    if (gaps.isEmpty()) {
      return List.of();
    }
    List<Gap> sorted = new ArrayList<>(gaps);
    sorted.sort(Comparator.comparingLong(Gap::firstTask));
    long taken = firstTask - 1;
    for (Gap gap : sorted) {
      if (gap.firstTask() < firstTask || gap.lastTask() > lastTask) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a gap leaves the lifetime: gap %d to %d, lifetime %d to %d",
                gap.firstTask(),
                gap.lastTask(),
                firstTask,
                lastTask));
      }
      if (gap.firstTask() <= taken) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a gap overlaps another: gap %d to %d, the other one to task %d",
                gap.firstTask(),
                gap.lastTask(),
                taken));
      }
      if (gap.windowEnd() > bytes) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "a gap's window leaves the record: windowEnd=%d, bytes=%d",
                gap.windowEnd(),
                bytes));
      }
      taken = gap.lastTask();
    }
    return List.copyOf(sorted);
  }
}
