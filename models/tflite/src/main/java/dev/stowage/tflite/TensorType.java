package dev.stowage.tflite;

import java.util.List;

/**
 * The shape and the type of the elements of a tensor.
 *
 * @param shape the dimensions; empty for a scalar
 * @param element the type of the elements
 */
public record TensorType(List<Integer> shape, ElementType element) {

  /** Creates a type. */
  public TensorType {
    shape = List.copyOf(shape);
  }
}
