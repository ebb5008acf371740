/**
 * The order that the operators of a subgraph must keep: {@link EffectOrder} has the order that
 * effects require, and {@link TensorOrder} that of writes to the same tensor.
 */
package dev.stowage.tflite.order;
