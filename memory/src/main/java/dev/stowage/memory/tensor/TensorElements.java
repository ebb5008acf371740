package dev.stowage.memory.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/**
 * The elements of a tensor, and access to them by index.
 *
 * <p>Numbers are in the byte order of the machine.
 *
 * @param tensor the name of the tensor
 * @param type the type of the elements
 * @param shape the shape of the tensor
 */
record TensorElements(String tensor, DataType type, TensorShape shape) {

  /**
   * Creates elements.
   *
   * @throws IllegalArgumentException if {@code tensor} is empty
   */
  TensorElements {
    if (tensor.isEmpty()) {
      throw new IllegalArgumentException("a tensor must have a name: name=''");
    }
  }

  /** The bytes of a tensor, for writing. */
  interface Writable {
    MemorySegment range(long offset, long bytes);
  }

  long byteSize() {
    return shape.byteCount(type);
  }

  /** Rejects memory of another size. */
  void checkSize(long bytes) {
    if (bytes != byteSize()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tensor '%s' of %s %s needs %d bytes: bytes=%d",
              tensor,
              type,
              shape,
              byteSize(),
              bytes));
    }
  }

  /** {@return a range of the first dimension} */
  TensorElements slice(long start, long end) {
    if (shape.rank() == 0) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "tensor '%s' has no dimension to slice", tensor));
    }
    if (start < 0 || end < start || end > shape.dimensions().getFirst()) {
      throw new IndexOutOfBoundsException(
          String.format(
              Locale.ROOT,
              "tensor '%s' of %s %s has no slice [%d, %d)",
              tensor,
              type,
              shape,
              start,
              end));
    }
    if (type.bits() * (shape.withFirst(start).elementCount() % 8) % 8 != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "slice [%d, %d) of tensor '%s' of %s %s starts within a byte",
              start,
              end,
              tensor,
              type,
              shape));
    }
    String name = String.format(Locale.ROOT, "%s[%d:%d]", tensor, start, end);
    return new TensorElements(name, type, shape.withFirst(end - start));
  }

  /** {@return the same elements in another shape} */
  TensorElements reshape(TensorShape newShape) {
    if (newShape.elementCount() != shape.elementCount()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "tensor '%s' of %s has %d elements, and cannot have shape %s with %d",
              tensor,
              shape,
              shape.elementCount(),
              newShape,
              newShape.elementCount()));
    }
    return new TensorElements(tensor, type, newShape);
  }

  /** Rejects elements that are not FLOAT32, FLOAT16 or BFLOAT16. */
  void checkFloat(String method) {
    check(type != DataType.FLOAT64 && isPlainFloat(), method);
  }

  /** Rejects elements that are not FLOAT64, FLOAT32, FLOAT16 or BFLOAT16. */
  void checkDouble(String method) {
    check(isPlainFloat(), method);
  }

  /** Rejects elements that are neither integers nor BOOL. */
  void checkLong(String method) {
    check(type.isInteger() || type == DataType.BOOL, method);
  }

  private boolean isPlainFloat() {
    return switch (type) {
      case FLOAT64, FLOAT32, FLOAT16, BFLOAT16 -> true;
      default -> false;
    };
  }

  private void check(boolean isSupported, String method) {
    if (!isSupported) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "elements of tensor '%s' are %s, which %s does not support; use its segment",
              tensor,
              type,
              method));
    }
  }

  double readFloat(MemorySegment bytes, long... indexes) {
    long element = shape.elementIndex(indexes);
    return switch (type) {
      case FLOAT64 -> bytes.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * element);
      case FLOAT32 -> bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * element);
      case FLOAT16 ->
          Float.float16ToFloat(bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element));
      case BFLOAT16 ->
          Float.intBitsToFloat(bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element) << 16);
      default -> throw new AssertionError(type);
    };
  }

  void writeFloat(Writable memory, double value, long... indexes) {
    long bytes = type.bits() / 8;
    MemorySegment target = memory.range(shape.elementIndex(indexes) * bytes, bytes);
    switch (type) {
      case FLOAT64 -> target.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0, value);
      case FLOAT32 -> target.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 0, (float) value);
      case FLOAT16 ->
          target.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, Float.floatToFloat16((float) value));
      case BFLOAT16 -> target.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, bfloat16((float) value));
      default -> throw new AssertionError(type);
    }
  }

  /** {@return the nearest BFLOAT16; a tie goes to the even one} */
  private static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40);
    }
    int toEven = (bits >>> 16) & 1;
    return (short) ((bits + 0x7FFF + toEven) >>> 16);
  }

  long readInteger(MemorySegment bytes, long... indexes) {
    long element = shape.elementIndex(indexes);
    long raw =
        switch (type.bits()) {
          case 64 -> bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * element);
          case 32 -> bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * element);
          case 16 -> bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element);
          default -> bytes.get(ValueLayout.JAVA_BYTE, element / perByte()) >>> shift(element);
        };
    int spare = 64 - type.bits();
    return type.isSigned() ? (raw << spare) >> spare : (raw << spare) >>> spare;
  }

  void writeInteger(Writable memory, long value, long... indexes) {
    if (!holds(value)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "tensor '%s' of %s cannot hold value=%d", tensor, type, value));
    }
    long element = shape.elementIndex(indexes);
    long bytes = Math.max(8, type.bits()) / 8;
    MemorySegment target =
        memory.range(type.bits() < 8 ? element / perByte() : element * bytes, bytes);
    switch (type.bits()) {
      case 64 -> target.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
      case 32 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) value);
      case 16 -> target.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) value);
      default -> {
        int shift = shift(element);
        int mask = ((1 << type.bits()) - 1) << shift;
        int others = target.get(ValueLayout.JAVA_BYTE, 0) & ~mask;
        int own = ((int) value << shift) & mask;
        target.set(ValueLayout.JAVA_BYTE, 0, (byte) (others | own));
      }
    }
  }

  /** {@return the number of elements in a byte, for elements of at most 8 bits} */
  private int perByte() {
    return 8 / type.bits();
  }

  /** {@return the distance of an element from the lowest bit of its byte} */
  private int shift(long element) {
    return (int) (element % perByte()) * type.bits();
  }

  /** {@return true if the type can represent a number; UINT64 as its bits} */
  private boolean holds(long value) {
    int bits = type == DataType.BOOL ? 1 : type.bits();
    if (bits == 64) {
      return true;
    }
    long signed = 1L << (bits - 1);
    return type.isSigned() ? -signed <= value && value < signed : 0 <= value && value < 2 * signed;
  }
}
