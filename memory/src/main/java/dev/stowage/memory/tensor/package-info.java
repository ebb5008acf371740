/**
 * Tensors: elements of a type in a shape, in memory that is counted by who uses it.
 *
 * <p>A {@link dev.stowage.memory.tensor.Tensor} takes its memory when it is made and gives it back
 * when the last one that shares it is closed; a {@link dev.stowage.memory.tensor.Blob} is a tensor
 * and its gradient.
 */
package dev.stowage.memory.tensor;
