package dev.stowage.cli.verify;

import dev.stowage.cli.input.OrderedModel;
import dev.stowage.litert.LiteReport;
import dev.stowage.litert.LiteVerification;
import dev.stowage.pages.label.TypedShape;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A {@code .tflite} model, which TensorFlow Lite runs. */
record VerifiedTflite(LiteVerification verification, List<String> notes) implements VerifiedModel {

  @Override
  public String format() {
    return "tflite";
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
  public Optional<OffsetsAssignment> planInFile() {
    return verification.planInFile();
  }

  @Override
  public OrderedModel orders() throws IOException {
    return new VerifiedOrders(this, verification.operators());
  }

  @Override
  public VerifiedModel inOrder(List<Integer> operators) throws IOException {
    return new VerifiedTflite(verification.inOrder(operators), notes);
  }

  @Override
  public VerifiedRun run(OffsetsAssignment plan) throws IOException {
    LiteReport report = verification.run(plan);
    return new VerifiedRun(
        VerifiedRun.Engine.TENSORFLOW_LITE,
        report.seed(),
        report.outputs().stream()
            .map(output ->
                new VerifiedRun.Output(
                    output.name(),
                    Optional.of(new TypedShape(output.shape(), output.typeName())),
                    output.elementCount(),
                    output.isBitIdentical(),
                    output.maxAbsDifference(),
                    output.optimizedMaxAbsDifference()))
            .toList(),
        report.plannedBytes(),
        report.engineArenaBytes(),
        report.reorderedArenaBytes(),
        report.notes());
  }
}
