package dev.stowage.plan;

import dev.stowage.plan.text.Message;
import java.util.Arrays;

/** An offset in one tensor arena for every record, in bytes, in the order of the problem. */
public final class OffsetsAssignment {

  private final long[] offsets;
  private final long totalBytes;

  /** Creates an assignment that keeps {@code offsets}. */
  private OffsetsAssignment(long[] offsets, long totalBytes) {
    this.offsets = offsets;
    this.totalBytes = totalBytes;
  }

  /**
   * {@return an assignment of offsets}
   *
   * <p>{@link dev.stowage.plan.check.AssignmentChecker} checks whether it is valid.
   *
   * @param offsets the start of each record
   * @param totalBytes the size of the tensor arena
   * @throws IllegalArgumentException if {@code totalBytes < 0}
   */
  public static OffsetsAssignment of(long[] offsets, long totalBytes) {
    if (totalBytes < 0) {
      throw new IllegalArgumentException(
          "totalBytes must not be negative: totalBytes=" + totalBytes);
    }
    return new OffsetsAssignment(offsets.clone(), totalBytes);
  }

  /**
   * {@return an assignment of offsets, in the smallest tensor arena that holds all records}
   *
   * @param problem the records
   * @param offsets the start of each record
   */
  public static OffsetsAssignment inSmallestArena(PlanProblem problem, long[] offsets) {
    long totalBytes = 0;
    for (int i = 0; i < offsets.length; i++) {
      totalBytes = Math.max(totalBytes, offsets[i] + problem.records().get(i).bytes());
    }
    return new OffsetsAssignment(offsets.clone(), totalBytes);
  }

  /** {@return the number of records} */
  public int recordCount() {
    return offsets.length;
  }

  /**
   * {@return the start of a record, in bytes from the start of the tensor arena}
   *
   * @param record an index into the problem's records
   */
  public long offset(int record) {
    return offsets[record];
  }

  /** {@return a copy of all offsets} */
  public long[] offsets() {
    return offsets.clone();
  }

  /** {@return the size of the tensor arena in bytes} */
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof OffsetsAssignment that
        && totalBytes == that.totalBytes
        && Arrays.equals(offsets, that.offsets);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(offsets) + Long.hashCode(totalBytes);
  }

  @Override
  public String toString() {
    return Message.of(
        "OffsetsAssignment[totalBytes=%d, offsets=%s]", totalBytes, Arrays.toString(offsets));
  }
}
