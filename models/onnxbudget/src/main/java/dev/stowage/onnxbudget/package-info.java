/** Native memory of services that run ONNX models in ONNX Runtime. */
package dev.stowage.onnxbudget;
