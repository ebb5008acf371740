package dev.stowage.onnx.graph;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The bytes of a value, as far as its type determines them. */
public sealed interface ValueBytes {

  /**
   * A known size.
   *
   * @param bytes the number of bytes
   */
  record Known(long bytes) implements ValueBytes {}

  /** An unknown size. */
  sealed interface Missing extends ValueBytes {

    /** {@return the reason, such as {@code sequence} or {@code shape [batch, 3]}} */
    String reason();
  }

  /**
   * A size that is unknown because a part of the type is.
   *
   * @param reason the known part
   */
  record Open(String reason) implements Missing {}

  /**
   * A size that does not follow from the type.
   *
   * @param reason the kind of the value
   */
  record Unsized(String reason) implements Missing {}

  /**
   * A size above 2^63 - 1 bytes.
   *
   * @param reason the shape
   */
  record TooLarge(String reason) implements Missing {}

  /** {@return the bytes of a value; elements smaller than a byte are packed} */
  static ValueBytes of(ValueType type) {
    return switch (type) {
      case ValueType.Tensor tensor -> ofTensor(tensor);
      case ValueType.Other other -> new Unsized(other.kind());
      case ValueType.Unknown unknown -> new Open("type unknown");
    };
  }

  private static ValueBytes ofTensor(ValueType.Tensor type) {
    if (type.elementCode() == ElementType.UNDEFINED_CODE) {
      return new Open("element type unknown");
    }
    Optional<ElementType> elements = ElementType.ofCode(type.elementCode());
    if (elements.isEmpty()) {
      return new Unsized(
          String.format(Locale.ROOT, "elements of unknown type %d", type.elementCode()));
    }
    OptionalInt bits = elements.get().bits();
    if (bits.isEmpty()) {
      return new Unsized("elements of type " + elements.get());
    }
    if (!type.isComplete()) {
      return new Open("shape " + type);
    }
    long[] dimensions = type.dimensions();
    if (Arrays.stream(dimensions).anyMatch(dimension -> dimension == 0)) {
      return new Known(0);
    }
    // The loop counts bytes, or elements if these are smaller than a byte.
    long count = Math.max(1, bits.getAsInt() / Byte.SIZE);
    for (long dimension : dimensions) {
      if (count > Long.MAX_VALUE / dimension) {
        return new TooLarge(String.format(Locale.ROOT, "shape %s of %s", type, elements.get()));
      }
      count *= dimension;
    }
    int elementsPerByte = Math.max(1, Byte.SIZE / bits.getAsInt());
    return new Known(Math.ceilDiv(count, elementsPerByte));
  }
}
