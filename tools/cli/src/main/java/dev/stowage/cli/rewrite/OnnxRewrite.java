package dev.stowage.cli.rewrite;

import dev.stowage.cli.input.OrderedModel;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxProblem;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.onnx.file.OnnxModelWriter;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An ONNX model, and an order of its operators that needs less memory.
 *
 * @param input the model as on the command line
 * @param weights the other files of the model, relative to its folder
 */
public record OnnxRewrite(
    String input, Path file, OnnxProblem model, OrderComparison order, List<Path> weights) {

  public OnnxRewrite {
    weights = List.copyOf(weights);
  }

  /**
   * {@return the rewrite of a model to the best order that a search finds}
   *
   * @param options the tensors to plan, and the sizes of open dimensions
   * @param interruption cancels the searches, which then return their best plans
   * @throws dev.stowage.plan.MalformedFileException if the model is damaged, or if its weights are
   *     in other files and missing
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   */
  public static OnnxRewrite of(
      String input, Path file, OnnxOptions options, Duration timeLimit, Interruption interruption)
      throws IOException {
    List<Path> weights = interruption.run(() -> OnnxModelWriter.externalFiles(file));
    OnnxProblem model = interruption.run(() -> OnnxReader.read(file, options));
    OrderedModel operators = OrderedModel.ofOnnx(file, options, model);
    SearchOptions search = SearchOptions.defaults().withTimeLimit(timeLimit);
    PlanProblem problem = model.problem();
    OffsetsSearch offsets = OffsetsSearch.of(problem, search);
    OffsetsAssignment plan = interruption.run(offsets::run, offsets::cancel).assignment();
    OrderComparison order = new OrderRunner(1, search, interruption).run(operators, problem, plan);
    return new OnnxRewrite(input, file, model, order, weights);
  }

  /**
   * Writes the copy.
   *
   * @throws InputRefusedException if the model has weights in other files, and the copy is in
   *     another folder or replaces one of them
   * @throws IOException if a file cannot be read or written
   */
  public void write(String output) throws IOException, InputRefusedException {
    try (WholeFile.Part part = new WholeFile(output).begin()) {
      checkWeights(Path.of(output).toAbsolutePath());
      if (order.isReordered()) {
        OnnxModelWriter.write(file, model.orderInFile(order.after().operators()), part.path());
      } else {
        Files.copy(file, part.path());
      }
      part.complete();
    }
  }

  private void checkWeights(Path output) throws IOException, InputRefusedException {
    Path absolute = file.toAbsolutePath();
    if (!weights.isEmpty()
        && !Files.isSameFile(absolute.resolveSibling(""), output.resolveSibling(""))) {
      throw new InputRefusedException(
          Text.of(
              "--output is '%s', but the model has weights in other files; write the copy into the folder of the model",
              output));
    }
    for (Path weight : weights) {
      if (Files.exists(output) && Files.isSameFile(absolute.resolveSibling(weight), output)) {
        throw new InputRefusedException(
            Text.of(
                "--output is '%s', which contains the model's weights; use another name", output));
      }
    }
  }

  /** {@return sentences for the user} */
  public List<String> notes() {
    List<String> notes = new ArrayList<>(model.notes());
    if (order.isCut()) {
      notes.add("interrupted: a longer search may find a better order of the operators");
    }
    return notes;
  }
}
