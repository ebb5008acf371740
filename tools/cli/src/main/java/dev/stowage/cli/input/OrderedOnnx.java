package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxProblem;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * An {@code .onnx} model with operators that can run in other orders.
 *
 * @param file the model
 * @param options the tensors to plan, and the sizes of open dimensions
 * @param model the model in the order of the file
 */
public record OrderedOnnx(Path file, OnnxOptions options, OnnxProblem model)
    implements OrderedModel {

  /**
   * {@return a model in a file}
   *
   * @throws dev.stowage.plan.MalformedFileException if the file is not a model
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   */
  public static OrderedOnnx read(Path file, OnnxOptions options) throws IOException {
    return new OrderedOnnx(file, options, OnnxReader.read(file, options));
  }

  @Override
  public PlanProblem problem() {
    return model.problem().withInPlace(List.of());
  }

  @Override
  public OperatorGraph operators() {
    return model.operators();
  }

  @Override
  public Optional<PlanProblem> inOrder(List<Integer> operators) throws IOException {
    return options.isAliased()
        ? Optional.of(
            OnnxReader.read(file, options.withOrder(model.orderInFile(operators))).problem())
        : Optional.empty();
  }
}
