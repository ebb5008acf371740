package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.tflite.TfliteOptions;
import dev.stowage.tflite.TfliteReader;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The models whose operators can run in other orders. */
public final class OrderedModels {

  private OrderedModels() {}

  /**
   * {@return a model in a file; empty if its operators keep their order, because the arena of
   * TensorFlow Lite Micro is planned and some of them call subgraphs}
   *
   * @param micro the scratch buffers, if the arena of TensorFlow Lite Micro is planned
   * @throws MalformedFileException if the file is a problem without operators, a damaged model, or
   *     a pipe
   */
  public static Optional<OrderedModel> read(
      String path, OnnxOptions options, Optional<MicroOptions> micro) throws IOException {
    if (micro.isPresent()) {
      return readMicro(path, micro.get());
    }
    Optional<InputFormat> format = InputFormat.of(path);
    if (format.equals(Optional.of(InputFormat.ONNX))) {
      return Optional.of(OrderedOnnx.read(ExistingFile.regular(path), options));
    }
    if (format.equals(Optional.of(InputFormat.TFLITE))) {
      return Optional.of(
          OrderedTflite.read(ExistingFile.regular(path), InputReader.tfliteOptions(options)));
    }
    throw new MalformedFileException(
        path, "has no operators, expected a .tflite or .onnx model with --reorder");
  }

  private static Optional<OrderedModel> readMicro(String path, MicroOptions options)
      throws IOException {
    MicroArena arena =
        MicroProblemReader.withScratch(
            path,
            MicroArenaReader.read(ExistingFile.regular(path), options.regionBytes()),
            options);
    int recordCount = arena.problem().records().size();
    // A call is one record of the graph, which stands for all tensors of the called subgraphs.
    return arena
        .operators()
        .filter(operators -> operators.problem().records().size() == recordCount)
        .map(operators -> new OrderedMicro(operators.problem(), operators.graph()));
  }

  /** The operators of TensorFlow Lite Micro, of which the first one stands for the caller. */
  private record OrderedMicro(PlanProblem problem, OperatorGraph operators)
      implements OrderedModel {

    @Override
    public Optional<PlanProblem> inOrder(List<Integer> order) {
      return Optional.empty();
    }
  }

  /** The operators of a {@code .tflite} model, which is read again for another order. */
  private record OrderedTflite(
      Path file, TfliteOptions options, PlanProblem problem, OperatorGraph operators)
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
}
