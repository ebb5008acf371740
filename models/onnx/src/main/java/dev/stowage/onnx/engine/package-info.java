/**
 * Runs in ONNX Runtime: shapes, optimized graphs, whole models, single operators, recorded
 * sessions.
 *
 * <p>This is the only package of the module that uses ONNX Runtime and native memory. The module
 * exports it to {@code dev.stowage.onnxbudget} only.
 *
 * <p>{@link ComparedRuns} runs a model three times with the same {@link RandomInputs}: a {@link
 * WholeRun} without optimizations, one with optimizations, and a {@link PlannedRun}. The last one
 * runs a model of one operator for each operator, whose inputs and outputs are bound to ranges of
 * one {@link PoisonedArena}. Initializers stay initializers in these models, because ONNX Runtime
 * prepares constants, which changes the last bits. {@link OutputDifference} compares the outputs.
 *
 * <p>A {@link RecordedSession} reports the requests of each operator to its listener. ONNX Runtime
 * reads the statistics of the session's allocator before and after each operator, so that an
 * allocator that records requests can assign them to operators.
 *
 * <p>A {@link ProfiledModel} compares the profile of a session with the model, and finds the
 * dimensions and types of its runs ({@link RunShapes}).
 */
package dev.stowage.onnx.engine;
