/** Host memory of ONNX Runtime sessions from a BFC allocator. */
package dev.stowage.onnxruntime;
