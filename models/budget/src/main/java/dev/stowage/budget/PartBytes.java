package dev.stowage.budget;

import dev.stowage.plan.shapes.DimensionValues;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The bytes of a part as a function of dimensions. Immutable. */
public sealed interface PartBytes {

  /**
   * {@return the bytes for a shape; not negative}
   *
   * @param shape the sizes of dimensions
   * @throws IllegalArgumentException if a dimension is missing, or outside of the samples
   * @throws ArithmeticException if an expression is negative or has more than 2^63 - 1 bytes
   */
  long at(DimensionValues shape);

  /** {@return the dimensions on which the bytes depend} */
  Set<String> dimensions();

  /**
   * {@return constant bytes}
   *
   * @param bytes the bytes
   * @throws IllegalArgumentException if {@code bytes < 0}
   */
  static PartBytes of(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(
          "the bytes of a part must not be negative: bytes=" + bytes);
    }
    return new Formula(SizeExpression.of(bytes));
  }

  /**
   * {@return bytes that an expression has at all shapes}
   *
   * @param bytes the expression
   */
  static PartBytes of(SizeExpression bytes) {
    return new Formula(bytes);
  }

  /**
   * {@return bytes that were computed at the points of a grid, and are interpolated between them}
   *
   * @param axes the points of each dimension
   * @param values the bytes, in the order of the axes; the last axis changes first
   * @throws IllegalArgumentException if there are more than 8 axes, two axes have the same
   *     dimension, the number of values is not the number of points, or a value is negative
   */
  static PartBytes sampled(List<SampleAxis> axes, long[] values) {
    return new Samples(new SampledBytes(axes, values));
  }

  /**
   * Bytes as an expression, which holds for all shapes.
   *
   * @param bytes the expression
   */
  record Formula(SizeExpression bytes) implements PartBytes {

    @Override
    public long at(DimensionValues shape) {
      long value = bytes.evaluate(shape);
      if (value < 0) {
        throw new ArithmeticException("bytes must not be negative: bytes=" + value);
      }
      return value;
    }

    @Override
    public Set<String> dimensions() {
      return bytes.dimensions();
    }
  }

  /** Bytes at the points of a grid. */
  final class Samples implements PartBytes {

    private final SampledBytes samples;

    Samples(SampledBytes samples) {
      this.samples = samples;
    }

    /** {@return the points of each dimension} */
    public List<SampleAxis> axes() {
      return samples.axes();
    }

    /** {@return the bytes at the points; the last axis changes first} */
    public long[] values() {
      return samples.values();
    }

    @Override
    public long at(DimensionValues shape) {
      return samples.at(shape);
    }

    @Override
    public Set<String> dimensions() {
      Set<String> names = new LinkedHashSet<>();
      samples.axes().forEach(axis -> names.add(axis.dimension()));
      return Collections.unmodifiableSet(names);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Samples that && samples.equals(that.samples);
    }

    @Override
    public int hashCode() {
      return samples.hashCode();
    }
  }
}
