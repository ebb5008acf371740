package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import java.io.IOException;
import java.util.Optional;

/** The models whose operators can run in other orders. */
public final class OrderedModels {

  private OrderedModels() {}

  /**
   * {@return a model in a file; empty if its operators keep their order, because the arena of
   * TensorFlow Lite Micro is planned and some of them call subgraphs}
   *
   * @param path the file as on the command line
   * @param options the options of model readers
   * @param micro the scratch buffers, if the arena of TensorFlow Lite Micro is planned
   * @throws MalformedFileException if the file is a problem without operators, a damaged model, or
   *     a pipe
   * @throws IOException if the file cannot be read
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
            path, MicroArenaReader.read(ExistingFile.regular(path)), options);
    int recordCount = arena.problem().records().size();
    // A call is one record of the graph, which stands for all tensors of the called subgraphs.
    return arena
        .operators()
        .filter(operators -> operators.problem().records().size() == recordCount)
        .map(operators -> new OrderedMicro(operators.problem(), operators.graph()));
  }
}
