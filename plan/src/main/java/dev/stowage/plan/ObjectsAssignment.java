package dev.stowage.plan;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.UnsupportedProblemException;
import dev.stowage.plan.text.Message;
import java.util.Arrays;

/** A shared object for every record, in the order of the problem, and the size of each object. */
public final class ObjectsAssignment {

  private final int[] objectIds;
  private final long[] objectBytes;

  /** Creates an assignment that keeps both arrays. */
  private ObjectsAssignment(int[] objectIds, long[] objectBytes) {
    this.objectIds = objectIds;
    this.objectBytes = objectBytes;
  }

  /**
   * {@return an assignment to objects}
   *
   * <p>{@link dev.stowage.plan.check.AssignmentChecker} checks whether it is valid.
   *
   * @param objectIds the object of each record
   * @param objectBytes the size of each object
   * @throws IllegalArgumentException if an id is negative or {@code >= objectBytes.length}, a size
   *     is negative, or all sizes together exceed {@link Long#MAX_VALUE}
   */
  public static ObjectsAssignment of(int[] objectIds, long[] objectBytes) {
    long total = 0;
    for (int object = 0; object < objectBytes.length; object++) {
      if (objectBytes[object] < 0 || objectBytes[object] > Long.MAX_VALUE - total) {
        throw Message.illegalArgument(
            "object %d must not have a negative size or raise the total above 2^63 - 1 bytes: bytes=%d",
            object, objectBytes[object]);
      }
      total += objectBytes[object];
    }
    for (int i = 0; i < objectIds.length; i++) {
      if (objectIds[i] < 0 || objectIds[i] >= objectBytes.length) {
        throw Message.illegalArgument(
            "record %d has object %d, but there are %d objects",
            i, objectIds[i], objectBytes.length);
      }
    }
    return new ObjectsAssignment(objectIds.clone(), objectBytes.clone());
  }

  /** {@return the number of records} */
  public int recordCount() {
    return objectIds.length;
  }

  /** {@return the number of objects} */
  public int objectCount() {
    return objectBytes.length;
  }

  /**
   * {@return the object of a record}
   *
   * @param record an index into the problem's records
   */
  public int objectId(int record) {
    return objectIds[record];
  }

  /**
   * {@return the size of an object in bytes}
   *
   * @param objectId an object
   */
  public long objectBytes(int objectId) {
    return objectBytes[objectId];
  }

  /** {@return a copy of the objects of all records} */
  public int[] objectIds() {
    return objectIds.clone();
  }

  /** {@return a copy of the sizes of all objects, in bytes} */
  public long[] objectBytes() {
    return objectBytes.clone();
  }

  /** {@return the sum of the sizes of all objects, in bytes} */
  public long totalBytes() {
    return Arrays.stream(objectBytes).sum();
  }

  /**
   * {@return an assignment that places the objects in one tensor arena, in the order of their ids}
   *
   * <p>Each object starts at the next offset that is a multiple of the alignments of all its
   * records.
   *
   * @param problem the problem of this assignment
   * @throws IllegalArgumentException if the alignments of one object's records have no common
   *     multiple below 2^63, or the arena would exceed 2^63 - 1 bytes
   */
  public OffsetsAssignment toOffsets(PlanProblem problem) {
    long[] alignments = objectAlignments(problem);
    long[] objectOffsets = new long[objectBytes.length];
    long end = 0;
    try {
      for (int object = 0; object < objectBytes.length; object++) {
        long remainder = end % alignments[object];
        objectOffsets[object] =
            remainder == 0 ? end : Math.addExact(end, alignments[object] - remainder);
        end = Math.addExact(objectOffsets[object], objectBytes[object]);
      }
    } catch (ArithmeticException e) {
      throw new UnsupportedProblemException(
          "an arena of all objects needs more than 2^63 - 1 bytes");
    }
    long[] offsets = new long[objectIds.length];
    Arrays.setAll(offsets, i -> objectOffsets[objectIds[i]]);
    return OffsetsAssignment.of(offsets, end);
  }

  private long[] objectAlignments(PlanProblem problem) {
    long[] alignments = new long[objectBytes.length];
    Arrays.fill(alignments, problem.alignment());
    for (int i = 0; i < objectIds.length; i++) {
      int object = objectIds[i];
      long own = problem.records().get(i).alignment();
      try {
        alignments[object] = Alignment.leastCommonMultiple(alignments[object], own);
      } catch (ArithmeticException e) {
        throw new UnsupportedProblemException(
            "the alignments of the records of object "
                + object
                + " have no common multiple below 2^63");
      }
    }
    return alignments;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ObjectsAssignment that
        && Arrays.equals(objectIds, that.objectIds)
        && Arrays.equals(objectBytes, that.objectBytes);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(objectIds) + Arrays.hashCode(objectBytes);
  }

  @Override
  public String toString() {
    return Message.of(
        "ObjectsAssignment[objectIds=%s, objectBytes=%s]",
        Arrays.toString(objectIds), Arrays.toString(objectBytes));
  }
}
