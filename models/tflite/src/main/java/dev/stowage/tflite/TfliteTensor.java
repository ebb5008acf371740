package dev.stowage.tflite;

import dev.stowage.plan.TensorUses;

/**
 * A tensor of the main subgraph of a model.
 *
 * @param index the index in the subgraph
 * @param name the name; empty if it has none
 * @param type the shape and the type of the elements
 * @param uses the operators that compute and read it
 */
public record TfliteTensor(int index, String name, TensorType type, TensorUses uses) {}
