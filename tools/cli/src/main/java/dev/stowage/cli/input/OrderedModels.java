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

/** The models with operators that can run in other orders. */
public final class OrderedModels {

  private OrderedModels() {}

  /**
   * {@return a model in a file; empty if its operators must keep their order}
   *
   * <p>Operators must keep their order if the arena of TensorFlow Lite Micro is planned and two of
   * them call the same subgraph.
   *
   * @param micro the scratch buffers, if the arena of TensorFlow Lite Micro is planned
   * @throws MalformedFileException if the file is a problem without operators, a damaged model, or
   *     a pipe
   */
  public static Optional<OrderedModel> read(
      String path, OnnxOptions options, Optional<MicroOptions> micro) throws IOException {
    if (micro.isPresent()) {
      return readMicro(path, options, micro.get());
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

  private static Optional<OrderedModel> readMicro(
      String path, OnnxOptions options, MicroOptions micro) throws IOException {
    Path file = ExistingFile.regular(path);
    MicroArena arena = MicroArenaReader.read(file);
    return OrderedMicro.of(
            file,
            MicroProblemReader.withScratch(
                path, options.isAliased() ? arena.withInPlace() : arena, micro))
        .map(model -> model);
  }

  /** The operators of a {@code .tflite} model. The model is read again for another order. */
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
