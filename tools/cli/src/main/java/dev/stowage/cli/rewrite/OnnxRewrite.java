package dev.stowage.cli.rewrite;

import dev.stowage.cli.input.OrderedOnnx;
import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.cli.plan.Interruption;
import dev.stowage.cli.plan.OrderComparison;
import dev.stowage.cli.plan.OrderRunner;
import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.file.OnnxModelWriter;
import dev.stowage.pages.text.Numbers;
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
import java.util.stream.Collectors;

/** Writes a copy of an ONNX model with its operators in an order that needs less memory. */
public final class OnnxRewrite {

  private final String input;
  private final OrderedOnnx model;
  private final OrderComparison order;
  private final List<Path> externalFiles;

  private OnnxRewrite(
      String input, OrderedOnnx model, OrderComparison order, List<Path> externalFiles) {
    this.input = input;
    this.model = model;
    this.order = order;
    this.externalFiles = externalFiles;
  }

  /**
   * {@return the rewrite of a model to the best order that a search finds}
   *
   * @param options the tensors to plan, and the sizes of open dimensions
   * @param interruption cancels the searches, which then return their best plans
   * @throws dev.stowage.plan.MalformedFileException if the model is damaged, or if its weights are
   *     in other files and missing
   * @throws dev.stowage.onnx.OpenDimensionsException if the model leaves dimensions open
   * @throws InputRefusedException if the model is too large
   */
  public static OnnxRewrite of(
      String input, Path file, OnnxOptions options, Duration timeLimit, Interruption interruption)
      throws IOException, InputRefusedException {
    List<Path> externalFiles = interruption.run(() -> OnnxModelWriter.externalFiles(file));
    OrderedOnnx model = interruption.run(() -> OrderedOnnx.read(file, options));
    SearchOptions search = SearchOptions.defaults().withTimeLimit(timeLimit);
    PlanProblem problem = model.model().problem();
    OffsetsSearch offsets = OffsetsSearch.of(problem, search);
    OffsetsAssignment plan = interruption.run(offsets::run, offsets::cancel).assignment();
    OrderComparison order = new OrderRunner(1, search, interruption).run(model, problem, plan);
    return new OnnxRewrite(input, model, order, externalFiles);
  }

  /**
   * Writes the copy, and the other files that it needs in its folder.
   *
   * @throws InputRefusedException if a file of another content exists where the copy needs one
   * @throws IOException if a file cannot be read or written
   */
  public OnnxRewriteReport write(String output) throws IOException, InputRefusedException {
    List<String> notes = new ArrayList<>(model.model().notes());
    try (WholeFile.Part part = new WholeFile(output).begin();
        DataFiles data = DataFiles.of(externalFiles, model.file(), Path.of(output))) {
      if (order.isReordered()) {
        OnnxModelWriter.write(
            model.file(), model.model().orderInFile(order.after().operators()), part.path());
      } else {
        Files.copy(model.file(), part.path());
      }
      data.copy();
      part.complete();
      data.keep();
      if (!data.targets().isEmpty()) {
        notes.add(
            Text.of(
                "%s with weights copied: %s",
                Numbers.count(data.targets().size(), "file"),
                data.targets().stream().map(Path::toString).collect(Collectors.joining(", "))));
      }
    }
    if (order.isCut()) {
      notes.add("interrupted: a longer search may find a better order of the operators");
    }
    return new OnnxRewriteReport(input, output, order, notes);
  }
}
