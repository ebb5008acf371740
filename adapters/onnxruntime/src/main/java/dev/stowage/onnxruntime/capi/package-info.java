/**
 * ONNX Runtime's C API, an allocator that reports its calls, and the temporary copies of its
 * libraries.
 *
 * <p>The module exports this package to {@code dev.stowage.onnx} and {@code dev.stowage.onnxbudget}
 * only. The benchmarks also use it.
 */
package dev.stowage.onnxruntime.capi;
