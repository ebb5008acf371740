/** The layout that ONNX Runtime gives a graph for the vector registers of a processor. */
package dev.stowage.onnxbudget.layout;
