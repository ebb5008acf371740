package dev.stowage.cli.picture;

import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.text.Numbers;
import dev.stowage.plan.ObjectsAssignment;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.util.Arrays;
import java.util.Optional;

/**
 * A plan of a picture: offsets, or shared objects drawn one after the other.
 *
 * @param strategy the strategy
 * @param drawn the offset of each record in the picture, and the bytes of the arena or of all
 *     objects
 * @param objects the object of each record; empty for offsets
 * @param boundBytes the lower bound of all plans of this kind
 * @param isOptimal true if it is proved that no plan of this kind is smaller
 */
public record ShownPlan(
    MemoryStrategy strategy,
    OffsetsAssignment drawn,
    Optional<ObjectsAssignment> objects,
    long boundBytes,
    boolean isOptimal) {

  /**
   * {@return a plan of offsets}
   *
   * @param plan the plan
   * @param boundBytes the lower bound of all offsets plans
   */
  public static ShownPlan of(Plan.Offsets plan, long boundBytes) {
    return new ShownPlan(
        plan.strategy(), plan.assignment(), Optional.empty(), boundBytes, plan.isOptimal());
  }

  /**
   * {@return a plan of shared objects}
   *
   * <p>The picture has no padding between the objects, because each is memory of its own.
   *
   * @param plan the plan
   * @param boundBytes the lower bound of all objects plans
   */
  public static ShownPlan of(Plan.Objects plan, long boundBytes) {
    ObjectsAssignment objects = plan.assignment();
    long[] starts = new long[objects.objectCount()];
    for (int object = 1; object < starts.length; object++) {
      starts[object] = starts[object - 1] + objects.objectBytes(object - 1);
    }
    long[] offsets = new long[objects.recordCount()];
    Arrays.setAll(offsets, record -> starts[objects.objectId(record)]);
    return new ShownPlan(
        plan.strategy(),
        OffsetsAssignment.of(offsets, objects.totalBytes()),
        Optional.of(objects),
        boundBytes,
        plan.isOptimal());
  }

  /** {@return the bytes of the arena, or of all objects} */
  public long totalBytes() {
    return drawn.totalBytes();
  }

  /** {@return {@code optimal}, or the distance from the lower bound: {@code 1.3 %}} */
  String quality() {
    if (isOptimal) {
      return "optimal";
    }
    return boundBytes == 0
        ? Numbers.percent(0)
        : Numbers.excess((double) (totalBytes() - boundBytes) / boundBytes);
  }

  /** {@return the kind in tables: {@code offsets} or {@code objects}} */
  String kind() {
    return objects.isPresent() ? "objects" : "offsets";
  }
}
