package dev.stowage.core.plan.shapes.search;

import dev.stowage.core.plan.shapes.DimensionRanges;
import dev.stowage.core.plan.shapes.DimensionValues;
import dev.stowage.core.plan.shapes.SymbolicProblem;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The arena of an order in a bucket: the largest total of all shapes. */
final class BucketArena {

  /*
   * If all sizes only grow with the dimensions, it is the total of the largest shape. Otherwise, the
   * total with the largest size of each record is a bound. The part with the largest bound is divided
   * until the bound is the total of a shape.
   */

  /** The number of parts after which the bound is the result. */
  private static final int MAX_PARTS = 200;

  private final SymbolicProblem problem;
  private final OrderFit fit;

  BucketArena(SymbolicProblem problem, OrderFit fit) {
    this.problem = problem;
    this.fit = fit;
  }

  /** A part of the shapes of a bucket, and a bound of the totals in it. */
  private record Part(DimensionRanges ranges, long bound) {}

  /** {@return a number that no total of an order exceeds in a bucket} */
  long bytes(int[] order, DimensionRanges ranges) {
    PriorityQueue<Part> parts =
        new PriorityQueue<>(Comparator.comparingLong(Part::bound).reversed());
    parts.add(new Part(ranges, bound(order, ranges)));
    long found = 0;
    for (int count = 0; count < MAX_PARTS; count++) {
      Part part = parts.element();
      found = Math.max(found, total(order, part.ranges.first()));
      found = Math.max(found, total(order, part.ranges.last()));
      if (found >= part.bound) {
        return found;
      }
      parts.remove();
      for (DimensionRanges half : part.ranges.halves()) {
        parts.add(new Part(half, bound(order, half)));
      }
    }
    return parts.element().bound;
  }

  private long bound(int[] order, DimensionRanges part) {
    return total(order, ShapeSizes.of(problem.largestWithin(part)));
  }

  private long total(int[] order, DimensionValues shape) {
    return total(order, ShapeSizes.of(problem.at(shape)));
  }

  private long total(int[] order, long[] sizes) {
    return fit.totals(order, ShapeSizes.of(List.of(sizes), sizes.length))[0];
  }
}
