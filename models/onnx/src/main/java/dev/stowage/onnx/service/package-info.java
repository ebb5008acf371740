/**
 * A process that runs a model in ONNX Runtime like a service, and reports its memory.
 *
 * <p>The command starts {@link ServiceProcess} with the engine of the service on the module path.
 * It writes a {@link ServiceScript}, and reads a line after each step ({@link StepLines}). The
 * classes of the process do not read the model, because its bytes would count.
 */
package dev.stowage.onnx.service;
