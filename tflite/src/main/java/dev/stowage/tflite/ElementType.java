package dev.stowage.tflite;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a tensor's elements are, by the schema's codes. The published schema classes end before the
 * newest.
 */
enum ElementType {
  FLOAT32(0, 32),
  FLOAT16(1, 16),
  INT32(2, 32),
  UINT8(3, 8),
  INT64(4, 64),
  STRING(5),
  BOOL(6, 8),
  INT16(7, 16),
  COMPLEX64(8, 64),
  INT8(9, 8),
  FLOAT64(10, 64),
  COMPLEX128(11, 128),
  UINT64(12, 64),
  RESOURCE(13),
  VARIANT(14),
  UINT32(15, 32),
  UINT16(16, 16),
  INT4(17, 4),
  BFLOAT16(18, 16),
  INT2(19, 2),
  UINT4(20, 4);

  private static final Map<Integer, ElementType> BY_CODE = new HashMap<>();

  static {
    for (ElementType type : values()) {
      BY_CODE.put(type.code, type);
    }
  }

  private final int code;
  private final OptionalInt bits;

  ElementType(int code) {
    this.code = code;
    this.bits = OptionalInt.empty();
  }

  ElementType(int code, int bits) {
    this.code = code;
    this.bits = OptionalInt.of(bits);
  }

  /** {@return the type of a code, or empty if the code is newer than this table} */
  static Optional<ElementType> ofCode(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }

  /** {@return the bits of an element, or empty if the type does not say} */
  OptionalInt bits() {
    return bits;
  }
}
