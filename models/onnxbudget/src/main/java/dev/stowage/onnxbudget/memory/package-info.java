/** Predictions of the memory of ONNX Runtime sessions before a run. */
package dev.stowage.onnxbudget.memory;
