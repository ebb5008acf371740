package dev.stowage.tflite;

import org.tensorflow.lite.schema.ActivationFunctionType;

/** What an operator does to its results before it stores them, at no memory of its own. */
public enum Activation {
  /** Nothing. */
  NONE(ActivationFunctionType.NONE),
  /** Negative values become 0. */
  RELU(ActivationFunctionType.RELU),
  /** Values are cut to -1 to 1. */
  RELU_N1_TO_1(ActivationFunctionType.RELU_N1_TO_1),
  /** Values are cut to 0 to 6. */
  RELU6(ActivationFunctionType.RELU6),
  /** The hyperbolic tangent. */
  TANH(ActivationFunctionType.TANH);

  private final byte code;

  Activation(byte code) {
    this.code = code;
  }

  /** {@return its number in the schema} */
  byte code() {
    return code;
  }
}
