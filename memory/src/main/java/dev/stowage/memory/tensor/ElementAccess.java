package dev.stowage.memory.tensor;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** How numbers of a type lie in bytes, in the machine's order. */
record ElementAccess(DataType type) {

  double readFloat(MemorySegment bytes, long element) {
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

  void writeFloat(MemorySegment bytes, long element, double value) {
    switch (type) {
      case FLOAT64 -> bytes.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, 8 * element, value);
      case FLOAT32 -> bytes.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * element, (float) value);
      case FLOAT16 ->
          bytes.set(
              ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element, Float.floatToFloat16((float) value));
      case BFLOAT16 ->
          bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element, bfloat16((float) value));
      default -> throw new AssertionError(type);
    }
  }

  /** {@return the nearest, of two the even one} */
  private static short bfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return (short) ((bits >>> 16) | 0x40);
    }
    int toEven = (bits >>> 16) & 1;
    return (short) ((bits + 0x7FFF + toEven) >>> 16);
  }

  long readInteger(MemorySegment bytes, long element) {
    long raw =
        switch (type.bits()) {
          case 64 -> bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, 8 * element);
          case 32 -> bytes.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * element);
          case 16 -> bytes.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element);
          default -> bytes.get(ValueLayout.JAVA_BYTE, byteOf(element)) >>> shift(element);
        };
    int spare = 64 - type.bits();
    return type.isSigned() ? (raw << spare) >> spare : (raw << spare) >>> spare;
  }

  void writeInteger(MemorySegment bytes, long element, long value) {
    switch (type.bits()) {
      case 64 -> bytes.set(ValueLayout.JAVA_LONG_UNALIGNED, 8 * element, value);
      case 32 -> bytes.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * element, (int) value);
      case 16 -> bytes.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * element, (short) value);
      default -> {
        long at = byteOf(element);
        int shift = shift(element);
        int mask = ((1 << type.bits()) - 1) << shift;
        int others = bytes.get(ValueLayout.JAVA_BYTE, at) & ~mask;
        int mine = ((int) value << shift) & mask;
        bytes.set(ValueLayout.JAVA_BYTE, at, (byte) (others | mine));
      }
    }
  }

  /** {@return where the byte of an element is, which it may share} */
  private long byteOf(long element) {
    return element / (8 / type.bits());
  }

  /** {@return how far an element is from its byte's lowest bit} */
  private int shift(long element) {
    return (int) (element % (8 / type.bits())) * type.bits();
  }

  /** {@return whether a number can be kept; of UINT64 as its bits} */
  boolean holds(long value) {
    int bits = type == DataType.BOOL ? 1 : type.bits();
    if (bits == 64) {
      return true;
    }
    long signed = 1L << (bits - 1);
    return type.isSigned() ? -signed <= value && value < signed : 0 <= value && value < 2 * signed;
  }
}
