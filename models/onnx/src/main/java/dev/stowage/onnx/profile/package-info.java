/**
 * Profiles of sessions of ONNX Runtime: the operators that ran, with the types of their tensors.
 *
 * <p>{@link ProfileReader} reads the events of a file one by one and keeps the runs with different
 * shapes as a {@link ServiceProfile}. {@link ProfiledGraph} finds the operators of a model in a
 * run. The module exports the package to {@code dev.stowage.cli} only.
 *
 * <h2>For maintainers</h2>
 *
 * <p>ONNX Runtime 1.29 writes an event when an operator ends. It keeps the first million events of
 * a session, and writes them when the session ends the profile. The events of a body come before
 * that of its operator, and a run ends with the event {@code model_run} of its thread. A session
 * with {@code ExecutionMode.PARALLEL} has the same events, but its operators are in other threads.
 */
package dev.stowage.onnx.profile;
