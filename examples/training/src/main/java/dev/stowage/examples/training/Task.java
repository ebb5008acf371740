package dev.stowage.examples.training;

import java.util.List;

/**
 * A kernel with its arguments.
 *
 * @param kernel the kernel
 * @param itemCount the number of elements to compute
 * @param scalars the first arguments
 * @param operands the memory, in the order of the kernel
 */
record Task(Kernel kernel, int itemCount, Scalars scalars, List<Operand> operands) {

  Task(Kernel kernel, int itemCount, Scalars scalars, Operand... operands) {
    this(kernel, itemCount, scalars, List.of(operands));
  }

  /**
   * {@return the copies on a device if each use copied: every operand to the device, and written
   * ones back}
   */
  long copiesWithoutLaziness() {
    return operands.size() + operands.stream().filter(Operand::isWritten).count();
  }
}
