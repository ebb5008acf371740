package dev.stowage.plan.shapes;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlacementConstraints;
import dev.stowage.plan.TensorUsageRecord;

/**
 * A usage record whose size is an expression of dimensions.
 *
 * @param bytes the size of the tensor
 * @param firstTask the task that produces the tensor
 * @param lastTask the last task that needs it, inclusive
 * @param name the name of the tensor, for messages; empty if it has none
 * @param constraints the constraints on its placement: an alignment, and gaps without windows
 */
public record SymbolicRecord(
    SizeExpression bytes,
    long firstTask,
    long lastTask,
    String name,
    PlacementConstraints constraints) {

  /**
   * Creates a record.
   *
   * @throws IllegalArgumentException if {@code firstTask < 0}, {@code firstTask > lastTask}, a gap
   *     is not within the lifetime or has a window, or the record is pinned
   */
  public SymbolicRecord {
    if (constraints.pinnedOffset().isPresent()) {
      throw new IllegalArgumentException(
          "a record whose size depends on dimensions cannot be pinned: pinnedOffset="
              + constraints.pinnedOffset().getAsLong());
    }
    if (constraints.gaps().stream().anyMatch(gap -> gap.windowBytes() > 0)) {
      throw new IllegalArgumentException(
          "a record whose size depends on dimensions cannot have a gap with a window");
    }
    // Checks the tasks and the gaps.
    new TensorUsageRecord(Long.MAX_VALUE, firstTask, lastTask, name, constraints);
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
    return new SymbolicRecord(bytes, firstTask, lastTask, "", PlacementConstraints.none());
  }

  /**
   * {@return this record with a name}
   *
   * @param newName the name of the tensor, for messages
   */
  public SymbolicRecord withName(String newName) {
    return new SymbolicRecord(bytes, firstTask, lastTask, newName, constraints);
  }

  /** {@return this record with another object for its size; this record if it is the same one} */
  @SuppressWarnings("ReferenceEquality") // an equal object would keep both alive
  SymbolicRecord withBytes(SizeExpression equalBytes) {
    return equalBytes == bytes
        ? this
        : new SymbolicRecord(equalBytes, firstTask, lastTask, name, constraints);
  }

  /**
   * {@return the record of one shape}
   *
   * @param values a value for each dimension of the size
   * @throws ArithmeticException as for {@link SizeExpression#evaluate}
   * @throws IllegalArgumentException if a dimension has no value, or the size is negative
   */
  public TensorUsageRecord at(DimensionValues values) {
    return new TensorUsageRecord(bytes.evaluate(values), firstTask, lastTask, name, constraints);
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
}
