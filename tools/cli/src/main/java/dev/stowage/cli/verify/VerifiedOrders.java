package dev.stowage.cli.verify;

import dev.stowage.cli.input.OrderedModel;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A model to verify whose operators can run in other orders.
 *
 * @param model the model in the order of the file
 */
record VerifiedOrders(ModelVerification model) implements OrderedModel {

  @Override
  public OperatorGraph operators() {
    return model.operators();
  }

  @Override
  public PlanProblem problem() {
    return model.problem().withInPlace(List.of());
  }

  @Override
  public Optional<PlanProblem> inOrder(List<Integer> order) throws IOException {
    return Optional.of(model.inOrder(order).problem());
  }
}
