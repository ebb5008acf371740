package dev.stowage.onnx;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The shape and the type of the elements of a tensor.
 *
 * @param shape the dimensions; empty for a scalar
 * @param elementType the type of the elements, as ONNX names it, such as {@code FLOAT}
 */
public record OnnxTensorType(List<Long> shape, String elementType) {

  /** Creates a type. */
  public OnnxTensorType {
    shape = List.copyOf(shape);
  }

  /** {@return the type of a value; empty unless it is a tensor with known dimensions} */
  static Optional<OnnxTensorType> of(ValueType type) {
    return type instanceof ValueType.Tensor tensor && tensor.isComplete()
        ? ElementType.ofCode(tensor.elementCode())
            .map(element ->
                new OnnxTensorType(
                    Arrays.stream(tensor.dimensions()).boxed().toList(), element.name()))
        : Optional.empty();
  }

  /**
   * {@return the type of a value}
   *
   * @throws IllegalArgumentException if ONNX has no such type of elements, or a dimension is
   *     negative
   */
  static ValueType.Tensor toValueType(OnnxTensorType type) {
    for (long size : type.shape()) {
      if (size < 0) {
        throw new IllegalArgumentException(
            "the dimensions must be 0 or more: shape=" + type.shape());
      }
    }
    return ValueType.Tensor.of(ElementType.valueOf(type.elementType()).code(), type.shape());
  }
}
