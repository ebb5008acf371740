/**
 * Tensors in memory with reference counts.
 *
 * <p>A {@link dev.stowage.memory.tensor.Tensor} has elements of a type in a shape. Its memory is
 * returned when the last tensor that shares it is closed.
 */
package dev.stowage.memory.tensor;
