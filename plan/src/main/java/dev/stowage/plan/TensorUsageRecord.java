package dev.stowage.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * The memory that a tensor needs: its size, its first task and its last task.
 *
 * <p>Two records conflict if a task lies within both lifetimes. Records that conflict share no
 * byte.
 *
 * @param bytes the size of the tensor; not negative
 * @param firstTask the task that produces the tensor
 * @param lastTask the last task that needs it, inclusive
 * @param name the name of the tensor, for messages; empty if it has none
 * @param constraints the constraints on its placement
 */
public record TensorUsageRecord(
    long bytes, long firstTask, long lastTask, String name, PlacementConstraints constraints) {

  /**
   * Creates a record.
   *
   * @throws IllegalArgumentException if {@code bytes < 0}, {@code firstTask < 0}, {@code firstTask
   *     > lastTask}, a gap is not within the lifetime, or its window is not within the bytes
   */
  public TensorUsageRecord {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=" + bytes);
    }
    if (firstTask < 0) {
      throw new IllegalArgumentException("firstTask must not be negative: firstTask=" + firstTask);
    }
    if (firstTask > lastTask) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "firstTask must not be after lastTask: firstTask=%d, lastTask=%d",
              firstTask,
              lastTask));
    }
    constraints.checkWithin(bytes, firstTask, lastTask);
  }

  /**
   * {@return a record without a name and without constraints}
   *
   * @param bytes the size of the tensor
   * @param firstTask the task that produces it
   * @param lastTask the last task that needs it, inclusive
   * @throws IllegalArgumentException if {@code bytes < 0}, {@code firstTask < 0} or {@code
   *     firstTask > lastTask}
   */
  public static TensorUsageRecord of(long bytes, long firstTask, long lastTask) {
    return new TensorUsageRecord(bytes, firstTask, lastTask, "", PlacementConstraints.none());
  }

  /**
   * {@return this record with a name}
   *
   * @param newName the name of the tensor, for messages
   */
  public TensorUsageRecord withName(String newName) {
    return new TensorUsageRecord(bytes, firstTask, lastTask, newName, constraints);
  }

  /**
   * {@return this record with other constraints}
   *
   * @param newConstraints the constraints on the placement
   * @throws IllegalArgumentException if a gap is not within the lifetime, or its window is not
   *     within the bytes
   */
  public TensorUsageRecord withConstraints(PlacementConstraints newConstraints) {
    return new TensorUsageRecord(bytes, firstTask, lastTask, name, newConstraints);
  }

  /**
   * {@return this record with another lifetime}
   *
   * @param newFirstTask the task that produces the tensor
   * @param newLastTask the last task that needs it, inclusive
   * @throws IllegalArgumentException if {@code newFirstTask < 0}, {@code newFirstTask >
   *     newLastTask}, or a gap is not within the lifetime
   */
  public TensorUsageRecord withLifetime(long newFirstTask, long newLastTask) {
    return new TensorUsageRecord(bytes, newFirstTask, newLastTask, name, constraints);
  }

  /**
   * {@return this record with another alignment}
   *
   * @param newAlignment any positive number of bytes
   * @throws IllegalArgumentException as for {@link PlacementConstraints#withAlignment}
   */
  public TensorUsageRecord withAlignment(long newAlignment) {
    return withConstraints(constraints.withAlignment(newAlignment));
  }

  /**
   * {@return this record, pinned to an offset}
   *
   * @param offset the only offset that it may have, in bytes from the start of the tensor arena
   * @throws IllegalArgumentException as for {@link PlacementConstraints#pinnedAt}
   */
  public TensorUsageRecord pinnedAt(long offset) {
    return withConstraints(constraints.pinnedAt(offset));
  }

  /**
   * {@return this record with a suggested offset}
   *
   * @param offset the suggestion, as {@link PlacementConstraints#withHint} describes
   */
  public TensorUsageRecord withHint(long offset) {
    return withConstraints(constraints.withHint(offset));
  }

  /**
   * {@return this record with gaps}
   *
   * @param newGaps disjoint gaps within the lifetime, in any order
   * @throws IllegalArgumentException if two gaps overlap, a gap is not within the lifetime, or its
   *     window is not within the bytes
   */
  public TensorUsageRecord withGaps(List<Gap> newGaps) {
    return withConstraints(constraints.withGaps(newGaps));
  }

  /** {@return the alignment of the offset, in bytes} */
  public long alignment() {
    return constraints.alignment();
  }

  /** {@return the only offset that the record may have; empty if it may have any} */
  public OptionalLong pinnedOffset() {
    return constraints.pinnedOffset();
  }

  /** {@return the suggested offset; empty if there is none} */
  public OptionalLong hint() {
    return constraints.hint();
  }

  /** {@return the gaps of the record, by first task} */
  public List<Gap> gaps() {
    return constraints.gaps();
  }

  /**
   * {@return a label for messages, such as "record 3" or "record 3 'conv1/out'"}
   *
   * @param index the index of this record in its problem
   */
  public String label(int index) {
    return name.isEmpty()
        ? "record " + index
        : "record " + index + " '" + MalformedFileException.excerpt(name) + "'";
  }

  /**
   * {@return the number of bytes live at a task: all, those of a gap's window, or 0}
   *
   * @param task any task
   */
  public long bytesNeededAt(long task) {
    if (task < firstTask || task > lastTask) {
      return 0;
    }
    for (Gap gap : gaps()) {
      if (gap.firstTask() <= task && task <= gap.lastTask()) {
        return gap.windowBytes();
      }
    }
    return bytes;
  }

  /**
   * {@return the ranges of tasks and bytes that the record needs: the lifetime, cut at the gaps}
   */
  public List<LiveRange> liveRanges() {
    if (gaps().isEmpty()) {
      return List.of(new LiveRange(firstTask, lastTask, 0, bytes));
    }
    List<LiveRange> ranges = new ArrayList<>();
    long from = firstTask;
    for (Gap gap : gaps()) {
      addUnlessEmpty(ranges, new LiveRange(from, gap.firstTask() - 1, 0, bytes));
      addUnlessEmpty(
          ranges,
          new LiveRange(gap.firstTask(), gap.lastTask(), gap.windowStart(), gap.windowEnd()));
      if (gap.lastTask() == lastTask) {
        return ranges; // lastTask + 1 may overflow
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
}
