package dev.stowage.litert.engine;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** A type of elements that have numbers, by its code in {@code TfLiteType}. */
enum LiteType {
  FLOAT32(1, Float.BYTES),
  INT32(2, Integer.BYTES),
  UINT8(3, Byte.BYTES),
  INT64(4, Long.BYTES),
  BOOL(6, Byte.BYTES),
  INT16(7, Short.BYTES),
  INT8(9, Byte.BYTES),
  FLOAT16(10, Short.BYTES),
  FLOAT64(11, Double.BYTES),
  UINT64(13, Long.BYTES),
  UINT32(16, Integer.BYTES),
  UINT16(17, Short.BYTES),
  BFLOAT16(19, Short.BYTES);

  /** The integers of an input are less than this number, as in masks and indices. */
  private static final int MAX_CHOICES = 2;

  private final int code;
  private final int bytes;

  LiteType(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  static Optional<LiteType> ofCode(int code) {
    return Stream.of(values()).filter(type -> type.code == code).findFirst();
  }

  /** {@return the bytes of an element} */
  int bytes() {
    return bytes;
  }

  /** {@return the number at a position} */
  double number(MemorySegment data, long at) {
    return switch (this) {
      case FLOAT32 -> data.get(JAVA_FLOAT_UNALIGNED, at);
      case FLOAT64 -> data.get(JAVA_DOUBLE_UNALIGNED, at);
      case FLOAT16 -> Float.float16ToFloat(data.get(JAVA_SHORT_UNALIGNED, at));
      case BFLOAT16 -> Float.intBitsToFloat(data.get(JAVA_SHORT_UNALIGNED, at) << Short.SIZE);
      case INT64, UINT64 -> data.get(JAVA_LONG_UNALIGNED, at);
      case INT32 -> data.get(JAVA_INT_UNALIGNED, at);
      case UINT32 -> Integer.toUnsignedLong(data.get(JAVA_INT_UNALIGNED, at));
      case INT16 -> data.get(JAVA_SHORT_UNALIGNED, at);
      case UINT16 -> Short.toUnsignedInt(data.get(JAVA_SHORT_UNALIGNED, at));
      case INT8 -> data.get(JAVA_BYTE, at);
      case UINT8, BOOL -> Byte.toUnsignedInt(data.get(JAVA_BYTE, at));
    };
  }

  /**
   * Writes a random number: one between 0 and 1, any byte, any number of a quantized type, or else
   * 0 or 1.
   */
  void setRandom(MemorySegment data, long at, Random random, boolean isQuantized) {
    switch (this) {
      case FLOAT32 -> data.set(JAVA_FLOAT_UNALIGNED, at, random.nextFloat());
      case FLOAT64 -> data.set(JAVA_DOUBLE_UNALIGNED, at, random.nextDouble());
      case FLOAT16 -> data.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(random.nextFloat()));
      case BFLOAT16 -> {
        int bits = Float.floatToRawIntBits(random.nextFloat());
        data.set(JAVA_SHORT_UNALIGNED, at, (short) (bits >>> Short.SIZE));
      }
      case INT64, UINT64 -> data.set(JAVA_LONG_UNALIGNED, at, random.nextInt(MAX_CHOICES));
      case INT32, UINT32 -> data.set(JAVA_INT_UNALIGNED, at, random.nextInt(MAX_CHOICES));
      case INT16, UINT16 ->
          data.set(
              JAVA_SHORT_UNALIGNED,
              at,
              (short) (isQuantized ? random.nextInt() : random.nextInt(MAX_CHOICES)));
      case BOOL -> data.set(JAVA_BYTE, at, (byte) random.nextInt(MAX_CHOICES));
      case INT8, UINT8 -> data.set(JAVA_BYTE, at, (byte) random.nextInt());
    }
  }
}
