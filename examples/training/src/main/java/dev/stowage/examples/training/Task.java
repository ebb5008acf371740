package dev.stowage.examples.training;

import java.util.List;

/**
 * A kernel with what it is executed on.
 *
 * @param kernel which one
 * @param itemCount how many elements it computes
 * @param scalars its numbers
 * @param operands its memory, in the kernel's order
 */
record Task(Kernel kernel, int itemCount, Scalars scalars, List<Operand> operands) {

  Task(Kernel kernel, int itemCount, Scalars scalars, Operand... operands) {
    this(kernel, itemCount, scalars, List.of(operands));
  }

  /**
   * {@return how many copies it would take on a device if nobody knew where contents are: every
   * operand to the device, and what is written back}
   */
  long copiesWithoutLaziness() {
    return operands.size() + operands.stream().filter(Operand::written).count();
  }
}
