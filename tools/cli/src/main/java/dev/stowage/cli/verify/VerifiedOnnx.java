package dev.stowage.cli.verify;

import dev.stowage.cli.input.OrderedModel;
import dev.stowage.onnx.ModelVerification;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** An {@code .onnx} model, which ONNX Runtime runs. */
record VerifiedOnnx(ModelVerification verification) implements VerifiedModel {

  @Override
  public String format() {
    return "onnx";
  }

  @Override
  public PlanProblem problem() {
    return verification.problem();
  }

  @Override
  public int operatorCount() {
    return verification.operatorCount();
  }

  @Override
  public List<String> notes() {
    return verification.notes();
  }

  @Override
  public Optional<OffsetsAssignment> planInFile() {
    return Optional.empty();
  }

  @Override
  public OrderedModel orders() {
    return new VerifiedOrders(this, verification.operators());
  }

  @Override
  public VerifiedModel inOrder(List<Integer> operators) throws IOException {
    return new VerifiedOnnx(verification.inOrder(operators));
  }

  @Override
  public VerifiedRun run(OffsetsAssignment plan) throws IOException {
    return VerifiedRun.of(verification.run(plan));
  }
}
