package dev.stowage.tflite;

/**
 * A tensor of a model's main subgraph.
 *
 * @param index its index in the subgraph
 * @param name its name; empty where it has none
 */
public record TfliteTensor(int index, String name) {}
