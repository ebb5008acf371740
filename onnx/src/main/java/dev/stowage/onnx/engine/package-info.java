/** What ONNX Runtime does for us; the one package, beside the allocator's, that knows it. */
package dev.stowage.onnx.engine;
