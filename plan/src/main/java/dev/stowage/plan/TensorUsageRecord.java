package dev.stowage.plan;

import dev.stowage.plan.text.Message;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The memory that a tensor needs: its size, its first task and its last task.
 *
 * <p>Two records conflict if a task lies within both lifetimes. Records that conflict share no
 * byte.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class TensorUsageRecord {

  private final long bytes;
  private final long firstTask;
  private final long lastTask;
  private final String name;
  private final PlacementConstraints constraints;

  private TensorUsageRecord(
      long bytes, long firstTask, long lastTask, String name, PlacementConstraints constraints) {
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
    constraints.checkWithin(bytes, firstTask, lastTask);
    this.bytes = bytes;
    this.firstTask = firstTask;
    this.lastTask = lastTask;
    this.name = name;
    this.constraints = constraints;
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
   * {@return this record with another size}
   *
   * @param newBytes the size of the tensor
   * @throws IllegalArgumentException if {@code newBytes < 0}, or the window of a gap is not within
   *     the bytes
   */
  public TensorUsageRecord withBytes(long newBytes) {
    return new TensorUsageRecord(newBytes, firstTask, lastTask, name, constraints);
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
   * @throws IllegalArgumentException if {@code newAlignment < 1}, or the pinned offset is not a
   *     multiple of it
   */
  public TensorUsageRecord withAlignment(long newAlignment) {
    return constrained(constraints.withAlignment(newAlignment));
  }

  /**
   * {@return this record, pinned to an offset}
   *
   * @param offset the only offset that it may have, in bytes from the start of the tensor arena
   * @throws IllegalArgumentException if {@code offset < 0} or {@code offset % alignment() != 0}
   */
  public TensorUsageRecord pinnedAt(long offset) {
    return constrained(constraints.pinnedAt(offset));
  }

  /**
   * {@return this record with a suggested offset}
   *
   * @param offset the offset that {@link dev.stowage.plan.strategy.MemoryStrategy#OPTIMAL} uses,
   *     unless this makes the arena larger than the best plan found; a negative or misaligned
   *     offset has no effect
   */
  public TensorUsageRecord withHint(long offset) {
    return constrained(constraints.withHint(offset));
  }

  /**
   * {@return this record with gaps}
   *
   * @param newGaps disjoint gaps within the lifetime, in any order
   * @throws IllegalArgumentException if two gaps overlap, a gap is not within the lifetime, or its
   *     window is not within the bytes
   */
  public TensorUsageRecord withGaps(List<Gap> newGaps) {
    return constrained(constraints.withGaps(newGaps));
  }

  private TensorUsageRecord constrained(PlacementConstraints newConstraints) {
    return new TensorUsageRecord(bytes, firstTask, lastTask, name, newConstraints);
  }

  /** {@return the size of the tensor in bytes} */
  public long bytes() {
    return bytes;
  }

  /** {@return the task that produces the tensor} */
  public long firstTask() {
    return firstTask;
  }

  /** {@return the last task that needs the tensor, inclusive} */
  public long lastTask() {
    return lastTask;
  }

  /** {@return the name of the tensor, for messages; empty if it has none} */
  public String name() {
    return name;
  }

  /** {@return the alignment of the offset, in bytes; not necessarily a power of two} */
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
   * {@return the number of bytes live at a task: all bytes, the window of a gap, or 0}
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

  @Override
  public boolean equals(Object other) {
    return other instanceof TensorUsageRecord that
        && bytes == that.bytes
        && firstTask == that.firstTask
        && lastTask == that.lastTask
        && name.equals(that.name)
        && constraints.equals(that.constraints);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bytes, firstTask, lastTask, name, constraints);
  }

  @Override
  public String toString() {
    return Message.of(
        "TensorUsageRecord[bytes=%d, firstTask=%d, lastTask=%d, name=%s, constraints=%s]",
        bytes, firstTask, lastTask, name, constraints);
  }
}
