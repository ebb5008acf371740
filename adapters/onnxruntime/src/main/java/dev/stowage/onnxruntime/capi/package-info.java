/**
 * ONNX Runtime's C API, and the temporary copies of its libraries.
 *
 * <p>The module exports this package to {@code dev.stowage.onnx} only. The benchmarks also use it.
 */
package dev.stowage.onnxruntime.capi;
