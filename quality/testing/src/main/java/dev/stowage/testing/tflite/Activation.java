package dev.stowage.testing.tflite;

import org.tensorflow.lite.schema.ActivationFunctionType;

/**
 * The function that an operator applies to its results before it stores them. It needs no memory.
 */
public enum Activation {
  /** No function. */
  NONE(ActivationFunctionType.NONE),
  /** Negative values become 0. */
  RELU(ActivationFunctionType.RELU),
  /** Values are limited to -1 to 1. */
  RELU_N1_TO_1(ActivationFunctionType.RELU_N1_TO_1),
  /** Values are limited to 0 to 6. */
  RELU6(ActivationFunctionType.RELU6),
  /** The hyperbolic tangent. */
  TANH(ActivationFunctionType.TANH);

  private final byte code;

  Activation(byte code) {
    this.code = code;
  }

  /** {@return the code in the schema} */
  byte code() {
    return code;
  }
}
