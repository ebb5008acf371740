package dev.stowage.examples.training;

import dev.stowage.memory.tensor.Tensor;

/**
 * A tensor of a task.
 *
 * @param tensor the tensor
 * @param isWritten true if the task writes it
 */
record Operand(Tensor tensor, boolean isWritten) {

  static Operand read(Tensor tensor) {
    return new Operand(tensor, false);
  }

  static Operand written(Tensor tensor) {
    return new Operand(tensor, true);
  }
}
