package dev.stowage.plan;

import dev.stowage.plan.text.Message;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * The memory that a tensor needs: its size, its first task and its last task.
 *
 * <p>Two records conflict if a task lies within both lifetimes. Records that conflict share no
 * byte.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 *
 * @param bytes the size of the tensor
 * @param firstTask the task that produces the tensor
 * @param lastTask the last task that needs the tensor, inclusive
 * @param name the name of the tensor, for messages; empty if it has none
 * @param alignment the alignment of the offset, in bytes; not necessarily a power of two
 * @param pinnedOffset the only offset that the record may have; empty if it may have any
 * @param hint the suggested offset; empty if there is none
 * @param gaps the disjoint gaps of the record, by first task
 */
public record TensorUsageRecord(
    long bytes,
    long firstTask,
    long lastTask,
    String name,
    long alignment,
    OptionalLong pinnedOffset,
    OptionalLong hint,
    List<Gap> gaps) {

  /**
   * Creates a record.
   *
   * @throws IllegalArgumentException if {@code bytes < 0}, {@code firstTask < 0}, {@code firstTask
   *     > lastTask} or {@code alignment < 1}, the pinned offset is negative or not a multiple of
   *     the alignment, two gaps overlap, a gap is not within the lifetime, or its window is not
   *     within the bytes
   */
  public TensorUsageRecord {
    if (bytes < 0) {
      throw new IllegalArgumentException("bytes must not be negative: bytes=" + bytes);
    }
    if (firstTask < 0) {
      throw new IllegalArgumentException(
          "the first task must not be negative: first task=" + firstTask);
    }
    if (firstTask > lastTask) {
      throw Message.illegalArgument(
          "the first task must not be after the last task: first task=%d, last task=%d",
          firstTask, lastTask);
    }
    if (alignment < 1) {
      throw new IllegalArgumentException("alignment must be positive: alignment=" + alignment);
    }
    if (pinnedOffset.isPresent()) {
      checkPin(pinnedOffset.getAsLong(), alignment);
    }
    gaps =
        gaps.isEmpty()
            ? List.of()
            : gaps.stream().sorted(Comparator.comparingLong(Gap::firstTask)).toList();
    checkGaps(gaps, bytes, firstTask, lastTask);
  }

  private static void checkPin(long offset, long alignment) {
    if (offset < 0) {
      throw new IllegalArgumentException("a pinned offset must not be negative: offset=" + offset);
    }
    if (offset % alignment != 0) {
      throw Message.illegalArgument(
          "a pinned offset must be a multiple of the alignment: offset=%d, alignment=%d",
          offset, alignment);
    }
  }

  private static void checkGaps(List<Gap> gaps, long bytes, long firstTask, long lastTask) {
    for (int i = 1; i < gaps.size(); i++) {
      if (gaps.get(i).firstTask() <= gaps.get(i - 1).lastTask()) {
        throw Message.illegalArgument(
            "gaps must not overlap: tasks %d to %d and %d to %d",
            gaps.get(i - 1).firstTask(),
            gaps.get(i - 1).lastTask(),
            gaps.get(i).firstTask(),
            gaps.get(i).lastTask());
      }
    }
    for (Gap gap : gaps) {
      if (gap.firstTask() < firstTask || gap.lastTask() > lastTask) {
        throw Message.illegalArgument(
            "a gap must lie within the lifetime: gap %d to %d, lifetime %d to %d",
            gap.firstTask(), gap.lastTask(), firstTask, lastTask);
      }
      if (gap.windowEnd() > bytes) {
        throw Message.illegalArgument(
            "the window of a gap must lie within the record: end of the window=%d, bytes=%d",
            gap.windowEnd(), bytes);
      }
    }
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
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, "", 1, OptionalLong.empty(), OptionalLong.empty(), List.of());
  }

  /**
   * {@return this record with a name}
   *
   * @param newName the name of the tensor, for messages
   */
  public TensorUsageRecord withName(String newName) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, newName, alignment, pinnedOffset, hint, gaps);
  }

  /**
   * {@return this record with another size}
   *
   * @param newBytes the size of the tensor
   * @throws IllegalArgumentException if {@code newBytes < 0}, or the window of a gap is not within
   *     the bytes
   */
  public TensorUsageRecord withBytes(long newBytes) {
    return new TensorUsageRecord(
        newBytes, firstTask, lastTask, name, alignment, pinnedOffset, hint, gaps);
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
    return new TensorUsageRecord(
        bytes, newFirstTask, newLastTask, name, alignment, pinnedOffset, hint, gaps);
  }

  /**
   * {@return this record with another alignment}
   *
   * @param newAlignment any positive number of bytes
   * @throws IllegalArgumentException if {@code newAlignment < 1}, or the pinned offset is not a
   *     multiple of it
   */
  public TensorUsageRecord withAlignment(long newAlignment) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, name, newAlignment, pinnedOffset, hint, gaps);
  }

  /**
   * {@return this record, pinned to an offset}
   *
   * @param offset the only offset that it may have, in bytes from the start of the tensor arena
   * @throws IllegalArgumentException if {@code offset < 0} or {@code offset % alignment() != 0}
   */
  public TensorUsageRecord pinnedAt(long offset) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, name, alignment, OptionalLong.of(offset), hint, gaps);
  }

  /**
   * {@return this record with a suggested offset}
   *
   * @param offset the offset that {@link dev.stowage.plan.strategy.MemoryStrategy#OPTIMAL} uses,
   *     unless this makes the arena larger than the best plan found; a negative or misaligned
   *     offset has no effect
   */
  public TensorUsageRecord withHint(long offset) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, name, alignment, pinnedOffset, OptionalLong.of(offset), gaps);
  }

  /**
   * {@return this record with gaps}
   *
   * @param newGaps disjoint gaps within the lifetime, in any order
   * @throws IllegalArgumentException if two gaps overlap, a gap is not within the lifetime, or its
   *     window is not within the bytes
   */
  public TensorUsageRecord withGaps(List<Gap> newGaps) {
    return new TensorUsageRecord(
        bytes, firstTask, lastTask, name, alignment, pinnedOffset, hint, newGaps);
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
   * {@return the number of bytes live at a task: all bytes, the window of a gap, or 0}
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
}
