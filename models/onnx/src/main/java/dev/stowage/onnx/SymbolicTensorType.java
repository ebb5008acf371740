package dev.stowage.onnx;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.List;

/**
 * The shape and the type of the elements of a tensor for all shapes of ranges.
 *
 * @param shape the dimensions; empty for a scalar
 * @param elementType the type of the elements, as ONNX names it, such as {@code FLOAT}
 */
public record SymbolicTensorType(List<SizeExpression> shape, String elementType) {

  /** Creates a type. */
  public SymbolicTensorType {
    shape = List.copyOf(shape);
  }
}
