package dev.stowage.onnx.graph;

import java.util.Optional;
import java.util.OptionalInt;

/** How many bytes a value takes, as far as its type says. */
public sealed interface ValueBytes {

  /**
   * A size that the type says.
   *
   * @param bytes how many
   */
  record Known(long bytes) implements ValueBytes {}

  /**
   * A size known only when the model runs.
   *
   * @param reason why, such as {@code a sequence}
   */
  record Unknown(String reason) implements ValueBytes {}

  /** {@return the bytes of a value of a type; elements below a byte are packed} */
  static ValueBytes of(ValueType type) {
    return switch (type) {
      case ValueType.Tensor tensor -> ofTensor(tensor);
      case ValueType.Other other -> new Unknown(other.kind());
      case ValueType.Unknown unknown -> new Unknown("type unknown");
    };
  }

  private static ValueBytes ofTensor(ValueType.Tensor type) {
    Optional<ElementType> elements = ElementType.ofCode(type.elementCode());
    if (elements.isEmpty()) {
      return new Unknown("elements of unknown type %d".formatted(type.elementCode()));
    }
    OptionalInt bits = elements.get().bits();
    if (bits.isEmpty()) {
      return new Unknown("elements of type " + elements.get());
    }
    if (!type.isComplete()) {
      return new Unknown("shape " + type);
    }
    long[] dimensions = type.dimensions();
    for (long dimension : dimensions) {
      if (dimension == 0) {
        return new Known(0);
      }
    }
    long count = 1;
    for (long dimension : dimensions) {
      if (count > Long.MAX_VALUE / bits.getAsInt() / dimension) {
        return new Unknown("shape " + type + " of more than 2^63 - 1 bits");
      }
      count *= dimension;
    }
    return new Known(Math.ceilDiv(count * bits.getAsInt(), Byte.SIZE));
  }
}
