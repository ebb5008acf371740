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
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A model with operators that can run in other orders. */
public interface OrderedModel {

  /**
   * {@return the records that {@link #operators} read and write, for a search over orders}
   *
   * <p>None of them is in place of another, because such pairs depend on the order.
   */
  PlanProblem problem();

  /** {@return the operators in the order of the file, and the records that they read and write} */
  OperatorGraph operators();

  /**
   * A graph of the operators with other records. Its best order may be better.
   *
   * @param problem the records; none of them is in place of another
   */
  record Graph(PlanProblem problem, OperatorGraph operators) {}

  /** {@return further graphs to search} */
  default List<Graph> furtherGraphs() {
    return List.of();
  }

  /**
   * {@return true if the lower bound of a search with {@link #problem} also holds for plans with
   * records in place of others}
   */
  default boolean isBoundOfPairs() {
    return false;
  }

  /**
   * {@return the records to plan if the operators run in another order; empty to plan the records
   * of the search}
   *
   * @param operators the operators in their order, by their indices in {@link #operators}
   * @throws IOException if the model cannot be read again
   */
  Optional<PlanProblem> inOrder(List<Integer> operators) throws IOException;

  /** A reader of the records in an order of the operators. */
  interface Records {
    PlanProblem inOrder(List<Integer> operators) throws IOException;
  }

  /**
   * A model of a graph.
   *
   * @param records reads the model again; empty if the records do not depend on the order
   */
  record Model(Graph graph, Optional<Records> records) implements OrderedModel {

    @Override
    public PlanProblem problem() {
      return graph.problem();
    }

    @Override
    public OperatorGraph operators() {
      return graph.operators();
    }

    @Override
    public Optional<PlanProblem> inOrder(List<Integer> order) throws IOException {
      return records.isEmpty() ? Optional.empty() : Optional.of(records.get().inOrder(order));
    }
  }

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
  static Optional<OrderedModel> read(String path, OnnxOptions options, Optional<MicroOptions> micro)
      throws IOException {
    if (micro.isPresent()) {
      Path file = ExistingFile.regular(path);
      MicroArena arena = MicroArenaReader.read(file);
      MicroArena planned = options.isAliased() ? arena.withInPlace() : arena;
      return OrderedMicro.of(file, MicroProblemReader.withScratch(path, planned, micro.get()))
          .map(model -> model);
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
  static OrderedModel ofOnnx(Path file, OnnxOptions options, OnnxProblem model) {
    return of(
        model.problem(),
        model.operators(),
        options.isAliased(),
        order -> OnnxReader.read(file, options.withOrder(model.orderInFile(order))).problem());
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
    return new Model(
        new Graph(problem.withInPlace(List.of()), operators),
        Optional.of(records).filter(it -> isInPlace));
  }
}
