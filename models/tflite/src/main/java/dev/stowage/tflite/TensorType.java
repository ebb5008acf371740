package dev.stowage.tflite;

import java.util.List;

/**
 * The shape and the type of the elements of a tensor.
 *
 * @param shape the dimensions; empty for a scalar
 * @param elementType the type of the elements, as the schema names it, such as {@code FLOAT32}
 */
public record TensorType(List<Integer> shape, String elementType) {

  /** Creates a type. */
  public TensorType {
    shape = List.copyOf(shape);
  }
}
