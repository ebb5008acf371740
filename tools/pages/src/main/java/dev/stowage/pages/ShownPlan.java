package dev.stowage.pages;

import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import java.util.Arrays;
import java.util.Optional;

/**
 * A plan of a picture: offsets, or shared objects drawn one after the other.
 *
 * @param strategy the name of the strategy, or of the program that made the plan
 * @param drawn the offset of each record in the picture, and the bytes of the arena or of all
 *     objects
 * @param objects the object of each record; empty for offsets
 * @param boundBytes the lower bound of all plans of this kind
 * @param isOptimal true if it is proved that no plan of this kind is smaller
 */
public record ShownPlan(
    String strategy,
    OffsetsAssignment drawn,
    Optional<ObjectsAssignment> objects,
    long boundBytes,
    boolean isOptimal) {

  /**
   * {@return a plan of offsets}
   *
   * @param boundBytes the lower bound of all offsets plans
   * @param isOptimal true if it is proved that no offsets plan is smaller
   */
  public static ShownPlan of(
      String strategy, OffsetsAssignment offsets, long boundBytes, boolean isOptimal) {
    return new ShownPlan(strategy, offsets, Optional.empty(), boundBytes, isOptimal);
  }

  /**
   * {@return a plan of shared objects}
   *
   * <p>The picture has no padding between the objects, because each is memory of its own.
   *
   * @param boundBytes the lower bound of all objects plans
   * @param isOptimal true if it is proved that no objects plan is smaller
   */
  public static ShownPlan of(
      String strategy, ObjectsAssignment objects, long boundBytes, boolean isOptimal) {
    long[] starts = new long[objects.objectCount()];
    for (int object = 1; object < starts.length; object++) {
      starts[object] = starts[object - 1] + objects.objectBytes(object - 1);
    }
    long[] offsets = new long[objects.recordCount()];
    Arrays.setAll(offsets, record -> starts[objects.objectId(record)]);
    return new ShownPlan(
        strategy,
        OffsetsAssignment.of(offsets, objects.totalBytes()),
        Optional.of(objects),
        boundBytes,
        isOptimal);
  }

  /** {@return the bytes of the arena, or of all objects} */
  public long totalBytes() {
    return drawn.totalBytes();
  }

  /** {@return {@code optimal}, or the distance from the lower bound: {@code 1.3 %}} */
  public String quality() {
    return isOptimal ? "optimal" : Numbers.above(totalBytes(), boundBytes);
  }
}
