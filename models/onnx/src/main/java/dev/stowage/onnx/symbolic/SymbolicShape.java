package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The dimensions of a tensor as expressions.
 *
 * @param dimensions the dimensions
 */
record SymbolicShape(List<SizeExpression> dimensions) {

  /** The largest rank; ONNX Runtime computes no tensor of more dimensions. */
  static final int MAX_RANK = 64;

  /** The largest length of a dimension's text; proofs about longer expressions take long. */
  private static final int MAX_TEXT = 300;

  static final SymbolicShape SCALAR = new SymbolicShape(List.of());

  /**
   * Creates a shape.
   *
   * @throws UnknownShapeException if there are too many dimensions, or if one is too long
   */
  SymbolicShape {
    if (dimensions.size() > MAX_RANK) {
      throw new UnknownShapeException("");
    }
    for (SizeExpression dimension : dimensions) {
      if (dimension.constant().isEmpty() && dimension.toString().length() > MAX_TEXT) {
        throw new UnknownShapeException("");
      }
    }
    dimensions = List.copyOf(dimensions);
  }

  static SymbolicShape of(SizeExpression... dimensions) {
    return new SymbolicShape(List.of(dimensions));
  }

  static SymbolicShape ofConstants(long... dimensions) {
    return new SymbolicShape(LongStream.of(dimensions).mapToObj(SizeExpression::of).toList());
  }

  int rank() {
    return dimensions.size();
  }

  /**
   * {@return the dimension of an axis}
   *
   * @throws UnknownShapeException if there is none
   */
  SizeExpression at(int axis) {
    if (axis < 0 || axis >= rank()) {
      throw new UnknownShapeException("");
    }
    return dimensions.get(axis);
  }

  /** {@return the last dimension} */
  SizeExpression last() {
    return at(rank() - 1);
  }

  /** {@return the dimensions from one axis up to another, exclusive} */
  List<SizeExpression> part(int from, int to) {
    if (from < 0 || from > to || to > rank()) {
      throw new UnknownShapeException("");
    }
    return dimensions.subList(from, to);
  }

  /** {@return the product of the dimensions from one axis up to another, exclusive} */
  SizeExpression product(int from, int to) {
    SizeExpression product = SizeExpression.of(1);
    for (SizeExpression dimension : part(from, to)) {
      product = product.times(dimension);
    }
    return product;
  }

  /** {@return the number of elements} */
  SizeExpression elements() {
    return product(0, rank());
  }

  /** {@return this shape with another dimension at an axis} */
  SymbolicShape with(int axis, SizeExpression dimension) {
    at(axis);
    List<SizeExpression> changed = new ArrayList<>(dimensions);
    changed.set(axis, dimension);
    return new SymbolicShape(changed);
  }

  /** {@return the dimensions if all are constants that fit an int} */
  Optional<int[]> constants() {
    int[] constants = new int[rank()];
    for (int axis = 0; axis < constants.length; axis++) {
      OptionalLong constant = dimensions.get(axis).constant();
      if (constant.isEmpty()
          || constant.getAsLong() < 0
          || constant.getAsLong() > Integer.MAX_VALUE) {
        return Optional.empty();
      }
      constants[axis] = (int) constant.getAsLong();
    }
    return Optional.of(constants);
  }

  @Override
  public String toString() {
    return dimensions.stream()
        .map(SizeExpression::toString)
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
