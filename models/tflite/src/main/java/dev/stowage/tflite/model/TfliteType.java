package dev.stowage.tflite.model;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The types of elements of tensors, {@code TensorType} in the schema. The published schema classes
 * lack the newest types.
 */
public enum TfliteType {
  /** 32 bits, floating point. */
  FLOAT32(0, 32),
  /** 16 bits, floating point, IEEE 754. */
  FLOAT16(1, 16),
  /** 32 bits, signed. */
  INT32(2, 32),
  /** 8 bits, unsigned. */
  UINT8(3, 8),
  /** 64 bits, signed. */
  INT64(4, 64),
  /** Strings of any length. */
  STRING(5),
  /** A truth value in 8 bits. */
  BOOL(6, 8),
  /** 16 bits, signed. */
  INT16(7, 16),
  /** Two times 32 bits, floating point. */
  COMPLEX64(8, 64),
  /** 8 bits, signed. */
  INT8(9, 8),
  /** 64 bits, floating point. */
  FLOAT64(10, 64),
  /** Two times 64 bits, floating point. */
  COMPLEX128(11, 128),
  /** 64 bits, unsigned. */
  UINT64(12, 64),
  /** A handle of a resource outside the graph. */
  RESOURCE(13),
  /** A value of a type that is known only at run time. */
  VARIANT(14),
  /** 32 bits, unsigned. */
  UINT32(15, 32),
  /** 16 bits, unsigned. */
  UINT16(16, 16),
  /** 4 bits, signed; two elements to a byte. */
  INT4(17, 4),
  /** The upper 16 bits of 32 bits, floating point. */
  BFLOAT16(18, 16),
  /** 2 bits, signed; four elements to a byte. */
  INT2(19, 2),
  /** 4 bits, unsigned; two elements to a byte. */
  UINT4(20, 4);

  private static final Map<Integer, TfliteType> BY_CODE =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(type -> type.code, Function.identity()));

  private final int code;
  private final OptionalInt bits;

  TfliteType(int code) {
    this.code = code;
    this.bits = OptionalInt.empty();
  }

  TfliteType(int code, int bits) {
    this.code = code;
    this.bits = OptionalInt.of(bits);
  }

  /** {@return the type of a code, or empty if the code is newer than this table} */
  static Optional<TfliteType> ofCode(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }

  /** {@return the bits of an element, or empty if elements have different sizes} */
  OptionalInt bits() {
    return bits;
  }
}
