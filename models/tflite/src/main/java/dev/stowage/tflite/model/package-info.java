/**
 * The parts of a {@code .tflite} file, read with checks.
 *
 * <p>{@link ModelFile} has the rules for reads of damaged files. {@link Subgraph} has the operators
 * as TensorFlow Lite Micro executes them, and {@link FlatTable} the fields that the published
 * schema classes lack.
 */
package dev.stowage.tflite.model;
