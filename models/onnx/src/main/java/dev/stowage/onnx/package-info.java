/** ONNX models: reading them as planning problems, and running them in planned memory. */
package dev.stowage.onnx;
