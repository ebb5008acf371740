/**
 * Runs in ONNX Runtime: shapes, whole models and single operators.
 *
 * <p>The module exports it to {@code dev.stowage.cli} only.
 *
 * <p>{@link ComparedRuns} runs a model three times with the same {@link RandomInputs}: a {@link
 * WholeRun} without optimizations, one with optimizations, and a {@link PlannedRun}. For each
 * operator, the planned run runs a model of this operator alone; its inputs and outputs are ranges
 * of one {@link PoisonedArena}. Initializers stay initializers in these models, because ONNX
 * Runtime prepares constants, which changes the last bits. {@link OutputDifference} compares the
 * outputs.
 *
 * <p>{@link ProfiledRuns} finds the tensors of a model in the profile of a session that ran it.
 */
package dev.stowage.onnx.engine;
