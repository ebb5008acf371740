package dev.stowage.onnx.graph;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The types of elements of tensors, with the codes of {@code TensorProto.DataType}. */
public enum ElementType {
  /** 32 bits, floating point. */
  FLOAT(1, 32),
  /** 8 bits, unsigned. */
  UINT8(2, 8),
  /** 8 bits, signed. */
  INT8(3, 8),
  /** 16 bits, unsigned. */
  UINT16(4, 16),
  /** 16 bits, signed. */
  INT16(5, 16),
  /** 32 bits, signed. */
  INT32(6, 32),
  /** 64 bits, signed. */
  INT64(7, 64),
  /** Strings of any length. */
  STRING(8),
  /** A truth value in 8 bits. */
  BOOL(9, 8),
  /** 16 bits, floating point, IEEE 754. */
  FLOAT16(10, 16),
  /** 64 bits, floating point. */
  DOUBLE(11, 64),
  /** 32 bits, unsigned. */
  UINT32(12, 32),
  /** 64 bits, unsigned. */
  UINT64(13, 64),
  /** Two times 32 bits, floating point. */
  COMPLEX64(14, 64),
  /** Two times 64 bits, floating point. */
  COMPLEX128(15, 128),
  /** The upper 16 bits of 32 bits, floating point. */
  BFLOAT16(16, 16),
  /** 8 bits, floating point, with 3 bits of mantissa. */
  FLOAT8E4M3FN(17, 8),
  /** As FLOAT8E4M3FN, without negative zero. */
  FLOAT8E4M3FNUZ(18, 8),
  /** 8 bits, floating point, with 2 bits of mantissa. */
  FLOAT8E5M2(19, 8),
  /** As FLOAT8E5M2, without negative zero. */
  FLOAT8E5M2FNUZ(20, 8),
  /** 4 bits, unsigned; two elements to a byte. */
  UINT4(21, 4),
  /** 4 bits, signed; two elements to a byte. */
  INT4(22, 4),
  /** 4 bits, floating point; two elements to a byte. */
  FLOAT4E2M1(23, 4),
  /** 8 bits, only an exponent. */
  FLOAT8E8M0(24, 8),
  /** 2 bits, unsigned; four elements to a byte. */
  UINT2(25, 2),
  /** 2 bits, signed; four elements to a byte. */
  INT2(26, 2);

  /** The code of an unknown type. */
  static final int UNDEFINED_CODE = 0;

  private static final Map<Integer, ElementType> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(ElementType::code, Function.identity()));

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
  public static Optional<ElementType> ofCode(int code) {
    return Optional.ofNullable(BY_CODE.get(code));
  }

  /** {@return the code in the schema} */
  public int code() {
    return code;
  }

  /** {@return the bits of an element, or empty if elements have different sizes} */
  public OptionalInt bits() {
    return bits;
  }
}
