package dev.stowage.cli.budget;

import dev.stowage.budget.SampleAxis;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * The sizes of dimensions for which a budget is computed. Ranges have more sizes where bytes
 * between two sizes are more than an interpolation.
 *
 * @param axes the sizes
 * @param isComplete false if a tried size may still have more bytes than an interpolation
 */
record RefinedAxes(List<SampleAxis> axes, boolean isComplete) {

  /** The most shapes of the refined axes. */
  private static final int MAX_SHAPES = 200;

  /** The number of times that each interval is divided. */
  private static final int MAX_ROUNDS = 6;

  private static final int MIN_TRIED_SIZES = 4;

  private static final int MAX_TRIED_SIZES = 64;

  /** The smallest difference that counts: small against the memory of the engine. */
  private static final long MIN_EXCESS_BYTES = 256L << 10;

  /** The smallest difference that counts, as a divisor of the interpolated bytes. */
  private static final long EXCESS_DIVISOR = 50;

  RefinedAxes {
    axes = List.copyOf(axes);
  }

  /**
   * {@return the axes with additional sizes}
   *
   * @param axes the sizes without additional ones
   * @param ranges the dimensions that may have other sizes
   * @param base the sizes of all other dimensions
   * @param triedShapes the approximate number of shapes that a round tries
   * @param bytes returns the bytes of a shape
   */
  static RefinedAxes of(
      List<SampleAxis> axes,
      Set<String> ranges,
      DimensionValues base,
      int triedShapes,
      ToLongFunction<DimensionValues> bytes) {
    List<SampleAxis> refined = new ArrayList<>(axes);
    for (int round = 0; round < MAX_ROUNDS; round++) {
      boolean isChanged = false;
      for (int i = 0; i < refined.size(); i++) {
        SampleAxis axis = refined.get(i);
        if (ranges.contains(axis.dimension())) {
          SampleAxis next =
              refined(axis, shapes(refined, i, base), triedShapes / refined.size(), bytes);
          isChanged |= next.points().size() > axis.points().size();
          refined.set(i, next);
        }
      }
      if (!isChanged) {
        return new RefinedAxes(refined, true);
      }
      if (shapes(refined, refined.size(), base).size() > MAX_SHAPES) {
        break;
      }
    }
    return new RefinedAxes(refined, false);
  }

  /** {@return the shapes of a grid without one of its axes} */
  private static List<DimensionValues> shapes(
      List<SampleAxis> axes, int without, DimensionValues base) {
    List<DimensionValues> shapes = List.of(base);
    for (int i = 0; i < axes.size(); i++) {
      if (i != without) {
        SampleAxis axis = axes.get(i);
        shapes =
            shapes.stream()
                .flatMap(
                    shape -> axis.points().stream().map(size -> shape.with(axis.dimension(), size)))
                .toList();
      }
    }
    return shapes;
  }

  /** {@return the axis with at most one more size in each interval} */
  private static SampleAxis refined(
      SampleAxis axis,
      List<DimensionValues> shapes,
      int triedShapes,
      ToLongFunction<DimensionValues> bytes) {
    List<Long> points = axis.points();
    int triedSizes =
        Math.clamp(
            triedShapes / ((long) shapes.size() * points.size()), MIN_TRIED_SIZES, MAX_TRIED_SIZES);
    TreeSet<Long> refined = new TreeSet<>(points);
    for (int i = 1; i < points.size(); i++) {
      between(axis.dimension(), points.get(i - 1), points.get(i), triedSizes, shapes, bytes)
          .ifPresent(refined::add);
    }
    return new SampleAxis(axis.dimension(), List.copyOf(refined));
  }

  /**
   * {@return a size in an interval whose bytes are more than an interpolation, if there is one}
   *
   * <p>This is the size with most bytes if they are more than at both ends, and otherwise the size
   * with the largest difference.
   */
  private static OptionalLong between(
      String dimension,
      long first,
      long last,
      int triedSizes,
      List<DimensionValues> shapes,
      ToLongFunction<DimensionValues> bytes) {
    OptionalLong highest = OptionalLong.empty();
    OptionalLong farthest = OptionalLong.empty();
    double mostBytes = 0;
    double mostExcess = 0;
    long step = Math.ceilDiv(last - first, triedSizes + 1);
    for (DimensionValues shape : shapes) {
      double start = bytes.applyAsLong(shape.with(dimension, first));
      double end = bytes.applyAsLong(shape.with(dimension, last));
      for (long size = first + step; size < last; size += step) {
        double share = (double) (size - first) / (last - first);
        double interpolated = start + (end - start) * share;
        double tried = bytes.applyAsLong(shape.with(dimension, size));
        double excess = tried - interpolated;
        if (excess <= Math.max(MIN_EXCESS_BYTES, interpolated / EXCESS_DIVISOR)) {
          continue;
        }
        if (excess > mostExcess) {
          mostExcess = excess;
          farthest = OptionalLong.of(size);
        }
        if (tried > Math.max(mostBytes, Math.max(start, end))) {
          mostBytes = tried;
          highest = OptionalLong.of(size);
        }
      }
    }
    return highest.isPresent() ? highest : farthest;
  }
}
