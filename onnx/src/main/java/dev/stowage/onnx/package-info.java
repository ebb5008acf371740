/** ONNX models as planning problems. */
package dev.stowage.onnx;
