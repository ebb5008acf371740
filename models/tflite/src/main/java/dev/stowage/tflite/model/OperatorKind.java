package dev.stowage.tflite.model;

import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * The kind of an operator.
 *
 * @param builtinCode the code in the schema
 * @param name the name in the schema, or the name of a custom operator
 */
public record OperatorKind(int builtinCode, String name) {

  private static final String DECODE = "TFLM_DECODE";

  /** {@return true for the custom operator that decodes constants in TensorFlow Lite Micro} */
  public boolean isDecode() {
    return builtinCode == BuiltinOperator.CUSTOM && name.equals(DECODE);
  }
}
