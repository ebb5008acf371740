/**
 * Profiles of sessions of ONNX Runtime: the operators that ran, with the types of their tensors.
 *
 * <p>{@link ProfileEvents} reads the events of a file one by one, and the package {@code engine}
 * finds the tensors of a model in them. The module exports the package to {@code dev.stowage.cli}
 * only.
 *
 * <p>ONNX Runtime writes an event when an operator ends. The events of a body come before the event
 * of its operator, and a run ends with the event {@code model_run} of its thread.
 */
package dev.stowage.onnx.profile;
