/** The main graph of a model: who makes and reads which value, and what is known of its type. */
package dev.stowage.onnx.graph;
