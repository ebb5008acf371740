package dev.stowage.memory.tensor;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The type of the elements of a tensor: each type of ONNX (up to IR version 13) and TensorFlow
 * Lite.
 *
 * <p>ONNX has the same names, except for FLOAT32 and FLOAT64, which are FLOAT and DOUBLE in ONNX.
 */
public enum DataType {
  /** IEEE 754, 64 bits. */
  FLOAT64(64, Kind.FLOAT),
  /** IEEE 754, 32 bits. */
  FLOAT32(32, Kind.FLOAT),
  /** IEEE 754, 16 bits. */
  FLOAT16(16, Kind.FLOAT),
  /** The upper 16 bits of a FLOAT32. */
  BFLOAT16(16, Kind.FLOAT),
  /** 4 bits of exponent, 3 of fraction; no infinities. */
  FLOAT8E4M3FN(8, Kind.FLOAT),
  /** As FLOAT8E4M3FN, without a negative zero. */
  FLOAT8E4M3FNUZ(8, Kind.FLOAT),
  /** 5 bits of exponent, 2 of fraction. */
  FLOAT8E5M2(8, Kind.FLOAT),
  /** As FLOAT8E5M2, without infinities and a negative zero. */
  FLOAT8E5M2FNUZ(8, Kind.FLOAT),
  /** A power of two: the scale of microscaling formats. */
  FLOAT8E8M0(8, Kind.FLOAT),
  /** 2 bits of exponent, 1 of fraction; two elements to a byte. */
  FLOAT4E2M1(4, Kind.FLOAT),
  /** 64 bits. */
  INT64(64, Kind.SIGNED),
  /** 32 bits. */
  INT32(32, Kind.SIGNED),
  /** 16 bits. */
  INT16(16, Kind.SIGNED),
  /** 8 bits. */
  INT8(8, Kind.SIGNED),
  /** Two elements to a byte. */
  INT4(4, Kind.SIGNED),
  /** Four elements to a byte. */
  INT2(2, Kind.SIGNED),
  /** 64 bits. */
  UINT64(64, Kind.UNSIGNED),
  /** 32 bits. */
  UINT32(32, Kind.UNSIGNED),
  /** 16 bits. */
  UINT16(16, Kind.UNSIGNED),
  /** 8 bits. */
  UINT8(8, Kind.UNSIGNED),
  /** Two elements to a byte. */
  UINT4(4, Kind.UNSIGNED),
  /** Four elements to a byte. */
  UINT2(2, Kind.UNSIGNED),
  /** 0 or 1 in a byte. */
  BOOL(8, Kind.TRUTH),
  /** Two FLOAT32. */
  COMPLEX64(64, Kind.COMPLEX),
  /** Two FLOAT64. */
  COMPLEX128(128, Kind.COMPLEX),
  /** Texts of any length. */
  STRING(0, Kind.OTHER),
  /** A handle of an object outside a graph. */
  RESOURCE(0, Kind.OTHER),
  /** A type that is only known when a model runs. */
  VARIANT(0, Kind.OTHER);

  private enum Kind {
    FLOAT,
    SIGNED,
    UNSIGNED,
    TRUTH,
    COMPLEX,
    OTHER
  }

  private final int bits;
  private final Kind kind;

  DataType(int bits, Kind kind) {
    this.bits = bits;
    this.kind = kind;
  }

  /**
   * {@return the type of a name in ONNX or TensorFlow Lite, in any case; empty if there is none}
   *
   * @param name a name such as {@code FLOAT}, {@code float32} or {@code FLOAT8_E4M3FN}
   */
  public static Optional<DataType> named(String name) {
    String plain = name.toUpperCase(Locale.ROOT).replace("_", "");
    return switch (plain) {
      case "FLOAT" -> Optional.of(FLOAT32);
      case "DOUBLE" -> Optional.of(FLOAT64);
      default -> Arrays.stream(values()).filter(type -> type.name().equals(plain)).findFirst();
    };
  }

  /** {@return true if all elements have the same number of bits: false for STRING and handles} */
  public boolean hasFixedSize() {
    return kind != Kind.OTHER;
  }

  /**
   * {@return the bits of an element}
   *
   * @throws IllegalStateException if the type has no fixed size
   */
  public int bits() {
    if (!hasFixedSize()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "elements of type %s have no fixed size; a tensor cannot contain them",
              this));
    }
    return bits;
  }

  /** {@return true if elements are signed or unsigned integers} */
  public boolean isInteger() {
    return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
  }

  /** {@return true if elements can be negative} */
  public boolean isSigned() {
    return kind == Kind.SIGNED || (kind == Kind.FLOAT && this != FLOAT8E8M0);
  }

  /**
   * {@return the bytes of elements, rounded up}
   *
   * @param elementCount the number of elements
   * @throws IllegalArgumentException if {@code elementCount < 0}, or the bytes exceed a {@code
   *     long}
   * @throws IllegalStateException if the type has no fixed size
   */
  public long bytes(long elementCount) {
    int each = bits();
    if (elementCount < 0) {
      throw new IllegalArgumentException(
          "elementCount must not be negative: elementCount=" + elementCount);
    }
    if (each < 8) {
      int perByte = 8 / each;
      return elementCount / perByte + (elementCount % perByte == 0 ? 0 : 1);
    }
    if (elementCount > Long.MAX_VALUE / (each / 8)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d elements of type %s are more than 2^63-1 bytes",
              elementCount,
              this));
    }
    return elementCount * (each / 8);
  }
}
