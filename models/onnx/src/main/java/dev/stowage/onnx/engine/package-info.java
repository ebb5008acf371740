/** Runs in ONNX Runtime: shapes, whole models, single operators. No other package uses it. */
package dev.stowage.onnx.engine;
