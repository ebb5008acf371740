package dev.stowage.cli.input;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.tflite.TfliteOptions;
import dev.stowage.tflite.TfliteReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A {@code .tflite} model whose operators can run in other orders.
 *
 * @param file the model
 * @param options the tensors to plan, and the operators that work in place
 * @param problem the records
 * @param operators the operators
 */
record OrderedTflite(Path file, TfliteOptions options, PlanProblem problem, OperatorGraph operators)
    implements OrderedModel {

  static OrderedTflite read(Path file, TfliteOptions options) throws IOException {
    PlanProblem problem = TfliteReader.read(file, options).problem().withInPlace(List.of());
    return new OrderedTflite(file, options, problem, TfliteReader.readOperators(file, options));
  }

  @Override
  public Optional<PlanProblem> inOrder(List<Integer> order) throws IOException {
    return options.isInPlace()
        ? Optional.of(TfliteReader.read(file, options.withOrder(order)).problem())
        : Optional.empty();
  }
}
