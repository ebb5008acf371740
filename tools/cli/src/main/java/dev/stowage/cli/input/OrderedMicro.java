package dev.stowage.cli.input;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import java.util.List;
import java.util.Optional;

/**
 * A model for TensorFlow Lite Micro whose operators can run in other orders.
 *
 * @param problem the tensors and scratch buffers
 * @param operators the operators, of which the first one stands for the caller
 */
record OrderedMicro(PlanProblem problem, OperatorGraph operators) implements OrderedModel {

  @Override
  public Optional<PlanProblem> inOrder(List<Integer> order) {
    return Optional.empty();
  }
}
