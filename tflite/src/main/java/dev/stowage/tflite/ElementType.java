package dev.stowage.tflite;

import org.tensorflow.lite.schema.TensorType;

/** What a tensor is made of: the types of the schema whose elements all take the same bits. */
public enum ElementType {
  /** 32 bits, floating point. */
  FLOAT32(TensorType.FLOAT32),
  /** 16 bits, floating point. */
  FLOAT16(TensorType.FLOAT16),
  /** 64 bits, floating point. */
  FLOAT64(TensorType.FLOAT64),
  /** 4 bits, signed; two elements to a byte. */
  INT4(TensorType.INT4),
  /** 8 bits, signed. */
  INT8(TensorType.INT8),
  /** 16 bits, signed. */
  INT16(TensorType.INT16),
  /** 32 bits, signed. */
  INT32(TensorType.INT32),
  /** 64 bits, signed. */
  INT64(TensorType.INT64),
  /** 8 bits, unsigned. */
  UINT8(TensorType.UINT8),
  /** 16 bits, unsigned. */
  UINT16(TensorType.UINT16),
  /** 32 bits, unsigned. */
  UINT32(TensorType.UINT32),
  /** 64 bits, unsigned. */
  UINT64(TensorType.UINT64),
  /** A truth value in 8 bits. */
  BOOL(TensorType.BOOL),
  /** Two times 32 bits, floating point. */
  COMPLEX64(TensorType.COMPLEX64),
  /** Two times 64 bits, floating point. */
  COMPLEX128(TensorType.COMPLEX128);

  private final byte code;

  ElementType(byte code) {
    this.code = code;
  }

  /** {@return its number in the schema} */
  byte code() {
    return code;
  }
}
