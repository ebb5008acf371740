package dev.stowage.plan.shapes.search;

import dev.stowage.plan.shapes.DimensionRanges;
import dev.stowage.plan.shapes.SymbolicProblem;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** The arenas of an order in buckets: the largest total of all shapes of a bucket. */
final class BucketArena {

  /*
   * If all sizes only grow with the dimensions, it is the total of the largest shape. Otherwise, the
   * total with the largest size of each record is a bound. The part with the largest bound is divided
   * until the bound is the total of a shape.
   */

  /** The number of parts after which the bound is the result. */
  private static final int MAX_PARTS = 200;

  private final SymbolicProblem problem;
  private final RecordStack stack;
  private final BooleanSupplier stop;

  /**
   * Creates the arenas of an order.
   *
   * @param problem the records
   * @param stack the order
   * @param stop true to return the bound so far
   */
  BucketArena(SymbolicProblem problem, RecordStack stack, BooleanSupplier stop) {
    this.problem = problem;
    this.stack = stack;
    this.stop = stop;
  }

  /** A part of the shapes of a bucket, and a bound of the totals in it. */
  private record Part(DimensionRanges ranges, long bound) {}

  /** {@return a number that no total exceeds in a bucket} */
  long bytes(DimensionRanges ranges) {
    PriorityQueue<Part> parts =
        new PriorityQueue<>(Comparator.comparingLong(Part::bound).reversed());
    parts.add(new Part(ranges, bound(ranges)));
    long found = 0;
    for (int count = 0; count < MAX_PARTS && !stop.getAsBoolean(); count++) {
      Part part = parts.element();
      found = Math.max(found, stack.total(problem.bytesAt(part.ranges.first())));
      found = Math.max(found, stack.total(problem.bytesAt(part.ranges.last())));
      if (found >= part.bound) {
        return found;
      }
      parts.remove();
      for (DimensionRanges half : part.ranges.halves()) {
        parts.add(new Part(half, bound(half)));
      }
    }
    return parts.element().bound;
  }

  private long bound(DimensionRanges part) {
    return stack.total(ShapeSizes.of(problem.largestWithin(part)));
  }
}
