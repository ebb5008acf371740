/** The main graph of a model: its operators, and its values with their readers and types. */
package dev.stowage.onnx.graph;
