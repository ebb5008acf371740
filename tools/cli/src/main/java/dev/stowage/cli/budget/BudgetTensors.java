package dev.stowage.cli.budget;

import dev.stowage.budget.SampleAxis;
import dev.stowage.cli.input.ExistingFile;
import dev.stowage.cli.input.InputReader;
import dev.stowage.cli.input.MicroOptions;
import dev.stowage.cli.input.PlanInput;
import dev.stowage.cli.plan.PeakRecords;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.TensorScope;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * The tensors of a model at the largest sizes of its dimensions, which explain the growth of a
 * budget.
 *
 * @param records the inputs, intermediate tensors and outputs in the order of the file, and those
 *     that are live at its peaks; none if their sizes are not known
 * @param taskNames returns the name of an operator in a sentence, such as {@code Conv 12}
 * @param weights the bytes of the weights of an .onnx model, by name
 */
public record BudgetTensors(
    PeakRecords records, LongFunction<String> taskNames, SortedMap<String, Long> weights) {

  /**
   * {@return the tensors of a model}
   *
   * @throws MalformedFileException if the file is not a model
   */
  public static BudgetTensors read(String path, BudgetRequest request) throws IOException {
    OnnxOptions options = OnnxOptions.defaults().withScope(TensorScope.WITH_INPUTS_AND_OUTPUTS);
    if (BudgetRequest.isMicro(path)) {
      return of(new InputReader(options).withMicro(MicroOptions.none()), path, new TreeMap<>());
    }
    for (Map.Entry<String, Long> dimension : request.sizes().fixed().entrySet()) {
      options = options.withDimension(dimension.getKey(), dimension.getValue());
    }
    for (SampleAxis axis : request.sizes().axes()) {
      options = options.withDimension(axis.dimension(), axis.points().getLast());
    }
    SortedMap<String, Long> weights = OnnxReader.readWeights(ExistingFile.regular(path));
    try {
      return of(new InputReader(options), path, weights);
    } catch (MalformedFileException e) {
      // The engine accepts the model, but no size is known before it runs.
      return new BudgetTensors(
          new PeakRecords(List.of(), List.of()), task -> "operator " + task, weights);
    }
  }

  private static BudgetTensors of(InputReader reader, String path, SortedMap<String, Long> weights)
      throws IOException {
    if (reader.read(path) instanceof PlanInput.Tensors tensors) {
      return new BudgetTensors(
          PeakRecords.of(tensors.problem(), tensors.labels()), tensors.file()::nameOf, weights);
    }
    throw new AssertionError("a model of one shape has tensors: " + path);
  }
}
