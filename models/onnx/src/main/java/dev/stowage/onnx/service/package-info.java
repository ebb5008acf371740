/**
 * A process that runs a model in ONNX Runtime as a service would, and reports its memory.
 *
 * <p>The command starts {@link ServiceProcess} with the words of a {@link ServiceScript} and the
 * engine of the service on the path, and reads a line of JSON after each step. The classes of the
 * process do not read the model, because its bytes would count.
 */
package dev.stowage.onnx.service;
