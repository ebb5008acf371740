/** ONNX Runtime's C API. Not exported; the benchmarks also use it. */
package dev.stowage.onnxruntime.capi;
