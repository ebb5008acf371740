package dev.stowage.cli.input;

import dev.stowage.onnx.OnnxOptions;
import dev.stowage.onnx.OnnxProblem;
import dev.stowage.onnx.OnnxReader;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.incremental.OperatorGraph;
import dev.stowage.tflite.TfliteOptions;
import dev.stowage.tflite.TfliteReader;
import dev.stowage.tflite.micro.MicroArena;
import dev.stowage.tflite.micro.MicroArenaReader;
import dev.stowage.tflite.micro.MicroOperators;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A model with operators that can run in other orders.
 *
 * @param graphs graphs of the operators; the best order of a further graph may be better
 * @param isBoundOfPairs true if the lower bound of a search in the first graph also holds for plans
 *     with records in place of others
 * @param records reads the records to plan in another order; empty to plan the records of the
 *     search
 * @param micro the model for TensorFlow Lite Micro, if its arena is planned
 */
public record OrderedModel(
    List<Graph> graphs,
    boolean isBoundOfPairs,
    Optional<Records> records,
    Optional<OrderedMicro> micro) {

  /**
   * A graph of the operators in the order of the file.
   *
   * @param problem the records that the operators read and write; none of them is in place of
   *     another, because such pairs depend on the order
   */
  public record Graph(PlanProblem problem, Supplier<OperatorGraph> operators) {}

  /** A reader of the records in an order of the operators, by their indices in the first graph. */
  public interface Records {
    PlanProblem inOrder(List<Integer> operators) throws IOException;
  }

  /** {@return the records of the first graph} */
  public PlanProblem problem() {
    return graphs.getFirst().problem;
  }

  /**
   * {@return the model in a file; empty if its operators must keep their order}
   *
   * <p>Operators must keep their order if the arena of TensorFlow Lite Micro is planned and two of
   * them call the same subgraph.
   *
   * @param micro the scratch buffers, if the arena of TensorFlow Lite Micro is planned
   * @throws MalformedFileException if the file has records without operators, is a damaged model,
   *     or is a pipe
   */
  public static Optional<OrderedModel> read(
      String path, OnnxOptions options, Optional<MicroOptions> micro) throws IOException {
    if (micro.isPresent()) {
      Path file = ExistingFile.regular(path);
      MicroArena arena = MicroArenaReader.read(file);
      MicroArena planned = options.isAliased() ? arena.withInPlace() : arena;
      return OrderedMicro.of(file, MicroProblemReader.withScratch(path, planned, micro.get()))
          .map(OrderedModel::of);
    }
    Optional<InputFormat> format = InputFormat.of(path);
    if (format.equals(Optional.of(InputFormat.ONNX))) {
      Path file = ExistingFile.regular(path);
      return Optional.of(ofOnnx(file, options, OnnxReader.read(file, options)));
    }
    if (format.equals(Optional.of(InputFormat.TFLITE))) {
      return Optional.of(ofTflite(ExistingFile.regular(path), InputReader.tfliteOptions(options)));
    }
    throw new MalformedFileException(
        path, "has no operators, expected a .tflite or .onnx model with --reorder");
  }

  /**
   * {@return an {@code .onnx} model}
   *
   * @param options the tensors to plan, and the sizes of open dimensions
   * @param model the model in the order of the file
   */
  public static OrderedModel ofOnnx(Path file, OnnxOptions options, OnnxProblem model) {
    return of(
        model.problem(),
        model.operators(),
        options.isAliased(),
        order -> OnnxReader.read(file, options.withOrder(model.orderInFile(order))).problem());
  }

  /** {@return a model for TensorFlow Lite Micro} */
  public static OrderedModel of(OrderedMicro micro) {
    MicroArena arena = micro.arena();
    List<MicroOperators> further = arena.furtherOperators();
    // A call is one record of the graph, which stands for all tensors of the called subgraphs.
    boolean isSearched = further.isEmpty() && arena.subgraphCount() == 1;
    Records records = order -> micro.arenaInOrder(order).problem();
    return new OrderedModel(
        Stream.concat(arena.operators().stream(), further.stream())
            .map(operators -> new Graph(operators.problem(), operators::graph))
            .toList(),
        true,
        Optional.of(records).filter(_ -> !isSearched),
        Optional.of(micro));
  }

  private static OrderedModel ofTflite(Path file, TfliteOptions options) throws IOException {
    return of(
        TfliteReader.read(file, options).problem(),
        TfliteReader.readOperators(file, options),
        options.isInPlace(),
        order -> TfliteReader.read(file, options.withOrder(order)).problem());
  }

  private static OrderedModel of(
      PlanProblem problem, OperatorGraph operators, boolean isInPlace, Records records) {
    Graph graph = new Graph(problem.withInPlace(List.of()), () -> operators);
    return new OrderedModel(
        List.of(graph), false, Optional.of(records).filter(_ -> isInPlace), Optional.empty());
  }
}
