package dev.stowage.onnx.profile;

import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import java.util.Arrays;
import java.util.List;

/**
 * The type of a tensor in a run.
 *
 * @param shape the dimensions
 * @param elementType the type of the elements, as ONNX names it, such as {@code FLOAT}
 */
public record ProfiledTensor(List<Long> shape, String elementType) {

  /** Copies the shape. */
  public ProfiledTensor {
    shape = List.copyOf(shape);
  }

  /** {@return the bytes; -1 if they are not known} */
  public long bytes() {
    return Arrays.stream(ElementType.values())
        .filter(type -> type.name().equals(elementType))
        .map(type -> ValueBytes.of(ValueType.Tensor.of(type.code(), shape)))
        .mapToLong(bytes -> bytes instanceof ValueBytes.Known(long known) ? known : -1)
        .findFirst()
        .orElse(-1);
  }
}
