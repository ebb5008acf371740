package dev.stowage.onnx.symbolic;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/** The elements of a result whose elements are those of an input at other places. */
final class MovedElements {

  private MovedElements() {}

  /**
   * {@return the elements of a result; empty if the input's or the result's shape is not a small
   * constant}
   *
   * @param input the input
   * @param result the result
   * @param source the index of the input's element for the coordinates of an element of the result
   */
  static Optional<SymbolicContents> of(
      SymbolicValue input, SymbolicShape result, ToIntFunction<int[]> source) {
    if (input.contents().orElse(null) instanceof SymbolicContents.Uniform uniform) {
      return Optional.of(uniform);
    }
    Optional<List<Quantity>> elements = input.listed();
    Optional<int[]> shape = result.constants();
    if (elements.isEmpty() || shape.isEmpty()) {
      return Optional.empty();
    }
    long count = 1;
    for (int length : shape.get()) {
      count = Math.min(count * length, SymbolicContents.MAX_COUNT + 1);
    }
    if (count > SymbolicContents.MAX_COUNT) {
      return Optional.empty();
    }
    List<Quantity> moved = new ArrayList<>();
    int[] at = new int[shape.get().length];
    for (int i = 0; i < count; i++) {
      moved.add(elements.get().get(source.applyAsInt(at)));
      advance(at, shape.get());
    }
    return Optional.of(new SymbolicContents.Listed(moved));
  }

  /** Advances coordinates in row-major order. */
  private static void advance(int[] at, int[] shape) {
    for (int axis = at.length - 1; axis >= 0; axis--) {
      if (++at[axis] < shape[axis]) {
        return;
      }
      at[axis] = 0;
    }
  }

  /** {@return the distances of neighbours along each axis in row-major order} */
  static int[] strides(int[] shape) {
    int[] strides = new int[shape.length];
    int stride = 1;
    for (int axis = shape.length - 1; axis >= 0; axis--) {
      strides[axis] = stride;
      stride *= shape[axis];
    }
    return strides;
  }
}
