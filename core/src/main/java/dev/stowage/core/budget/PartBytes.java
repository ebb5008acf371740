package dev.stowage.core.budget;

import dev.stowage.core.plan.shapes.DimensionValues;
import dev.stowage.core.plan.shapes.SizeExpression;
import java.util.List;

/** The bytes of a part as a function of dimensions. */
public sealed interface PartBytes {

  /**
   * {@return the bytes for a shape; not negative}
   *
   * @param shape the sizes of dimensions
   * @throws IllegalArgumentException if a dimension is missing or outside of the range
   */
  long at(DimensionValues shape);

  /**
   * {@return constant bytes}
   *
   * @param bytes the bytes
   */
  static PartBytes of(long bytes) {
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
   * @throws IllegalArgumentException if the number of values is not the number of points
   */
  static PartBytes sampled(List<SampleAxis> axes, long[] values) {
    return new Samples(new SampledBytes(axes, values));
  }

  /** Bytes as an expression, which holds for all shapes. */
  record Formula(SizeExpression bytes) implements PartBytes {

    @Override
    public long at(DimensionValues shape) {
      return Math.max(0, bytes.evaluate(shape));
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
    public boolean equals(Object other) {
      return other instanceof Samples that && samples.equals(that.samples);
    }

    @Override
    public int hashCode() {
      return samples.hashCode();
    }
  }
}
