/** The BFC allocator under ONNX Runtime: sessions take their memory from it. */
package dev.stowage.onnx.allocator;
