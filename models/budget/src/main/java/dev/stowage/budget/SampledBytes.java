package dev.stowage.budget;

import dev.stowage.plan.shapes.DimensionValues;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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

  /** The most axes: a shape has 2^8 corners then. */
  private static final int MAX_AXES = 8;

  private final List<SampleAxis> axes;
  private final long[] values;

  /**
   * Creates samples.
   *
   * @throws IllegalArgumentException if there are more than 8 axes, two axes have the same
   *     dimension, the number of values is not the product of the axes, or a value is negative
   */
  SampledBytes(List<SampleAxis> axes, long[] values) {
    if (axes.size() > MAX_AXES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "samples must have at most %d axes: axes=%d", MAX_AXES, axes.size()));
    }
    Set<String> names = new HashSet<>();
    long count = 1;
    for (SampleAxis axis : axes) {
      if (!names.add(axis.dimension())) {
        throw new IllegalArgumentException(
            "dimension '" + axis.dimension() + "' has two axes, expected one");
      }
      // More points than values stay more than values, without overflow.
      count = Math.min(count * axis.points().size(), Integer.MAX_VALUE);
    }
    if (values.length != count) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a grid of %d points needs as many values: values=%d",
              count,
              values.length));
    }
    for (long value : values) {
      if (value < 0) {
        throw new IllegalArgumentException(
            "the bytes of a sample must not be negative: bytes=" + value);
      }
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
    int[] lower = new int[axes.size()];
    long[] distances = new long[axes.size()];
    long[] widths = new long[axes.size()];
    for (int i = 0; i < lower.length; i++) {
      SampleAxis axis = axes.get(i);
      long size = shape.get(axis.dimension());
      lower[i] = axis.cell(size);
      long start = axis.points().get(lower[i]);
      distances[i] = size - start;
      widths[i] = distances[i] == 0 ? 1 : axis.points().get(lower[i] + 1) - start;
    }
    return interpolated(lower, distances, widths, 0, 0);
  }

  private long interpolated(int[] lower, long[] distances, long[] widths, int depth, int index) {
    if (depth == lower.length) {
      return values[index];
    }
    int next = index * axes.get(depth).points().size() + lower[depth];
    long first = interpolated(lower, distances, widths, depth + 1, next);
    if (distances[depth] == 0) {
      return first;
    }
    long second = interpolated(lower, distances, widths, depth + 1, next + 1);
    return first + ceiling(second - first, distances[depth], widths[depth]);
  }

  /** {@return {@code difference * distance / width}, rounded up} */
  private static long ceiling(long difference, long distance, long width) {
    long product = difference * distance;
    if (Math.multiplyHigh(difference, distance) == product >> (Long.SIZE - 1)) {
      return Math.ceilDiv(product, width);
    }
    BigInteger[] quotient =
        BigInteger.valueOf(difference)
            .multiply(BigInteger.valueOf(distance))
            .divideAndRemainder(BigInteger.valueOf(width));
    return quotient[0].longValueExact() + (quotient[1].signum() > 0 ? 1 : 0);
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
