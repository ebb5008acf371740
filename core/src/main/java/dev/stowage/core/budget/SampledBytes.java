package dev.stowage.core.budget;

import dev.stowage.core.plan.shapes.DimensionValues;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Bytes that were computed at the points of a grid of shapes.
 *
 * <p>Between the points, the bytes are interpolated linearly in each dimension and rounded up. For
 * sizes that grow like products and powers of dimensions, the interpolated bytes are not smaller
 * than the real ones.
 */
final class SampledBytes {

  /*
   * The values are in the order of the axes; the last axis changes first. A shape lies in a cell of
   * the grid, and its bytes are the mean of the 2^n corners of the cell, weighted by the distances.
   * Takes O(2^n + n log m) for n axes of m points.
   */

  private final List<SampleAxis> axes;
  private final long[] values;

  /**
   * Creates samples.
   *
   * @throws IllegalArgumentException if the number of values is not the product of the axes
   */
  SampledBytes(List<SampleAxis> axes, long[] values) {
    long count = axes.stream().mapToLong(axis -> axis.points().size()).reduce(1, (a, b) -> a * b);
    if (values.length != count) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a grid of %d points needs as many values: values=%d",
              count,
              values.length));
    }
    this.axes = List.copyOf(axes);
    this.values = values.clone();
  }

  List<SampleAxis> axes() {
    return axes;
  }

  long[] values() {
    return values.clone();
  }

  /**
   * {@return the bytes of a shape}
   *
   * @throws IllegalArgumentException if the shape is outside of the grid
   */
  long at(DimensionValues shape) {
    return (long) Math.ceil(interpolated(shape, 0, 0));
  }

  private double interpolated(DimensionValues shape, int depth, int index) {
    if (depth == axes.size()) {
      return values[index];
    }
    SampleAxis axis = axes.get(depth);
    int count = axis.points().size();
    long value = shape.get(axis.dimension());
    int lower = axis.cell(value);
    long start = axis.points().get(lower);
    double first = interpolated(shape, depth + 1, index * count + lower);
    if (value == start) {
      return first;
    }
    long end = axis.points().get(lower + 1);
    double second = interpolated(shape, depth + 1, index * count + lower + 1);
    return first + (second - first) * (value - start) / (end - start);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SampledBytes that
        && axes.equals(that.axes)
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return axes.hashCode() * 31 + Arrays.hashCode(values);
  }
}
