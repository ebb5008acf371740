package dev.stowage.examples.services;

import dev.stowage.budget.ModelBudget;
import dev.stowage.budget.ServiceSample;
import dev.stowage.plan.shapes.DimensionValues;

/** The bytes that a session, its runs and the rest of a process need, by a budget of the model. */
record RunBudget(ModelBudget budget) {

  /** {@return the most bytes that a run requests from the allocator} */
  long runBytes(DimensionValues shape) {
    return Math.max(1, budget.runBytes(shape));
  }

  /**
   * {@return the limit of the allocator in a process with a limit}
   *
   * @param javaBytes the heap of the process and the rest of its Java virtual machine
   * @param inputBytes the inputs of all threads
   */
  long allocatorBytes(long processBytes, long javaBytes, long inputBytes) {
    ServiceSample largest = budget.at(budget.ranges().last(), 1, 1);
    return processBytes - javaBytes - inputBytes - largest.loadedBytes();
  }
}
