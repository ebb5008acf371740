package dev.stowage.examples.training;

import dev.stowage.memory.tensor.Tensor;

/**
 * A tensor that a task uses.
 *
 * @param tensor which one
 * @param written whether it is written, too
 */
record Operand(Tensor tensor, boolean written) {

  static Operand read(Tensor tensor) {
    return new Operand(tensor, false);
  }

  static Operand written(Tensor tensor) {
    return new Operand(tensor, true);
  }
}
