package dev.stowage.examples.services;

import dev.stowage.budget.MemoryBudget;
import dev.stowage.budget.MemoryPart;
import dev.stowage.budget.ModelBudget;
import dev.stowage.plan.shapes.DimensionValues;
import java.util.Set;

/** The bytes that a session, its runs and the rest of a process need, by a budget of the model. */
record RunBudget(ModelBudget budget) {

  /** The parts that a run requests from the allocator; the last one is an allowance. */
  private static final Set<String> PARTS_OF_RUNS =
      Set.of("activations", "workspace", "outputs", "unexplained (sessions)");

  private static final String INPUTS = "inputs";

  /** {@return the most bytes that a run requests from the allocator} */
  long runBytes(DimensionValues shape) {
    return Math.max(1, sum(shape, PARTS_OF_RUNS));
  }

  /**
   * {@return the limit of the allocator in a process with a limit}
   *
   * @param threads the number of threads, each of which has inputs of the largest shape
   */
  long allocatorBytes(long processBytes, int threads) {
    DimensionValues largest = budget.ranges().last();
    MemoryBudget memory = budget.at(largest, 1, 1);
    long others = memory.runningBytes() - runBytes(largest);
    return processBytes - others - (threads - 1) * sum(largest, Set.of(INPUTS));
  }

  private long sum(DimensionValues shape, Set<String> names) {
    return budget.at(shape, 1, 1).parts().stream()
        .filter(part -> names.contains(part.name()))
        .mapToLong(MemoryPart::runningBytes)
        .sum();
  }
}
