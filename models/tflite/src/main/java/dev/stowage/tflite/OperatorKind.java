package dev.stowage.tflite;

/**
 * The kind of an operator.
 *
 * @param builtinCode the code in the schema
 * @param name the name in the schema, or that of a custom operator
 */
record OperatorKind(int builtinCode, String name) {}
