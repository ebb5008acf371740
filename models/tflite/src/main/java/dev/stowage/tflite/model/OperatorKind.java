package dev.stowage.tflite.model;

/**
 * The kind of an operator.
 *
 * @param builtinCode the code in the schema
 * @param name the name in the schema, or that of a custom operator
 */
public record OperatorKind(int builtinCode, String name) {}
