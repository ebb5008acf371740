/**
 * The order that the operators of a subgraph must keep: {@link EffectOrder} keeps the order of
 * effects, and {@link TensorOrder} the order of writes to one tensor.
 */
package dev.stowage.tflite.order;
