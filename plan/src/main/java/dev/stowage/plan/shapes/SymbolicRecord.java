package dev.stowage.plan.shapes;

import dev.stowage.plan.Gap;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;
import java.util.Objects;

/**
 * A usage record whose size is an expression of dimensions.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 */
public final class SymbolicRecord {

  private final SizeExpression bytes;

  /** The other properties, with a size that is larger than any. */
  private final TensorUsageRecord record;

  private SymbolicRecord(SizeExpression bytes, TensorUsageRecord record) {
    if (record.pinnedOffset().isPresent()) {
      throw new IllegalArgumentException(
          "a record whose size depends on dimensions cannot be pinned: pinnedOffset="
              + record.pinnedOffset().getAsLong());
    }
    if (record.gaps().stream().anyMatch(gap -> gap.windowBytes() > 0)) {
      throw new IllegalArgumentException(
          "a record whose size depends on dimensions cannot have a gap with a window");
    }
    this.bytes = bytes;
    this.record = record.withBytes(Long.MAX_VALUE);
  }

  /**
   * {@return a record without a name and without constraints}
   *
   * @param bytes the size of the tensor
   * @param firstTask the task that produces it
   * @param lastTask the last task that needs it, inclusive
   * @throws IllegalArgumentException if {@code firstTask < 0} or {@code firstTask > lastTask}
   */
  public static SymbolicRecord of(SizeExpression bytes, long firstTask, long lastTask) {
    return of(bytes, TensorUsageRecord.of(0, firstTask, lastTask));
  }

  /**
   * {@return a record with the lifetime, the name and the constraints of another one}
   *
   * @param bytes the size of the tensor
   * @param other a record of any size, not pinned and without windows of gaps
   * @throws IllegalArgumentException if {@code other} is pinned or a gap has a window
   */
  public static SymbolicRecord of(SizeExpression bytes, TensorUsageRecord other) {
    return new SymbolicRecord(bytes, other);
  }

  /**
   * {@return this record with a name}
   *
   * @param newName the name of the tensor, for messages
   */
  public SymbolicRecord withName(String newName) {
    return new SymbolicRecord(bytes, record.withName(newName));
  }

  /** {@return this record with another object for its size; this record if it is the same one} */
  @SuppressWarnings("ReferenceEquality") // an equal object would keep both alive
  SymbolicRecord withBytes(SizeExpression equalBytes) {
    return equalBytes == bytes ? this : new SymbolicRecord(equalBytes, record);
  }

  /** {@return the size of the tensor} */
  public SizeExpression bytes() {
    return bytes;
  }

  /** {@return the task that produces the tensor} */
  public long firstTask() {
    return record.firstTask();
  }

  /** {@return the last task that needs the tensor, inclusive} */
  public long lastTask() {
    return record.lastTask();
  }

  /** {@return the name of the tensor, for messages; empty if it has none} */
  public String name() {
    return record.name();
  }

  /** {@return the alignment of the offset, in bytes} */
  public long alignment() {
    return record.alignment();
  }

  /** {@return the gaps of the record, by first task} */
  public List<Gap> gaps() {
    return record.gaps();
  }

  /**
   * {@return the record of one shape}
   *
   * @param values a value for each dimension of the size
   * @throws ArithmeticException as for {@link SizeExpression#evaluate}
   * @throws IllegalArgumentException if a dimension has no value, or the size is negative
   */
  public TensorUsageRecord at(DimensionValues values) {
    return record.withBytes(bytes.evaluate(values));
  }

  /** {@return the record with a fixed size} */
  TensorUsageRecord withFixedBytes(long fixedBytes) {
    return record.withBytes(fixedBytes);
  }

  /**
   * {@return a label for messages, such as "record 3" or "record 3 'conv1/out'"}
   *
   * @param index the index of this record in its problem
   */
  public String label(int index) {
    return record.label(index);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SymbolicRecord that
        && bytes.equals(that.bytes)
        && record.equals(that.record);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bytes, record);
  }

  @Override
  public String toString() {
    return "SymbolicRecord[bytes=" + bytes + ", record=" + record + "]";
  }
}
