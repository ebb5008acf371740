/**
 * The process that runs a model in TensorFlow Lite.
 *
 * <p>{@link EngineMain} compares a {@link LiteRun} of the whole model with those in {@link
 * PoisonedTensors}: each planned tensor has a custom allocation at its offset in one arena. The
 * profiler of TensorFlow Lite reports the start and the end of each operator ({@link
 * OperatorEvents}). At these times, the ranges of tensors that are not in use are filled with a
 * pattern, so that an operator that reads one of them computes another result.
 */
package dev.stowage.litert.engine;
