/**
 * Runs in ONNX Runtime: shapes, whole models and single operators.
 *
 * <p>The module exports it to {@code dev.stowage.cli} only.
 *
 * <p>{@link ComparedRuns} runs a model three times with the same {@link RandomInputs}: a {@link
 * WholeRun} without optimizations, one with optimizations, and a {@link PlannedRun}. The last one
 * runs a model of one operator for each operator, whose inputs and outputs are bound to ranges of
 * one {@link PoisonedArena}. Initializers stay initializers in these models, because ONNX Runtime
 * prepares constants, which changes the last bits. {@link OutputDifference} compares the outputs.
 *
 * <p>{@link ProfiledRuns} finds the tensors of a model in the profile of a session that ran it.
 */
package dev.stowage.onnx.engine;
