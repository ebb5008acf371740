package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.OperatorModel;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;

/**
 * Three runs of a model with the same inputs: in ONNX Runtime without optimizations, in ONNX
 * Runtime with default optimizations, and operator by operator in one arena with the offsets of a
 * plan.
 *
 * @param outputs the outputs of the planned run, compared with the outputs of the other runs
 * @param peakBytes the peak of ONNX Runtime's own memory; empty if it is unknown
 * @param peakFailure the reason why the peak is unknown
 * @param unbound the planned values in memory of ONNX Runtime
 */
public record ComparedRuns(
    List<Output> outputs,
    OptionalLong peakBytes,
    Optional<String> peakFailure,
    Set<GraphValue> unbound) {

  private static final int RUN_COUNT = 3;

  /** The alignment of offsets, the same as in ONNX Runtime's own arena: a cache line. */
  public static final long ALIGNMENT_BYTES = 64;

  /**
   * An output.
   *
   * @param name the name
   * @param type the type; empty if it is not a tensor
   * @param elementCount the number of elements
   * @param isBitIdentical true if it is identical to ONNX Runtime's, bit for bit
   * @param maxAbsDifference the largest difference from it; {@link Double#MAX_VALUE} if they cannot
   *     be compared
   * @param optimizedMaxAbsDifference the largest difference from a run with optimizations
   */
  public record Output(
      String name,
      Optional<ValueType> type,
      long elementCount,
      boolean isBitIdentical,
      double maxAbsDifference,
      double optimizedMaxAbsDifference) {}

  /**
   * {@return the result of the runs}
   *
   * @param file the model
   * @param instead a model that replaces the file in the run without optimizations
   * @param graph the graph of the model in the order of the plan
   * @param planned the types of its values
   * @param problem the records of the planned values
   * @param plan the offset of each record, a multiple of {@link #ALIGNMENT_BYTES}
   * @param seed the seed of the inputs
   * @param watch observes the runs and can end them
   * @throws MalformedFileException if ONNX Runtime rejects the model or an operator, or if random
   *     outputs differ
   * @throws CancellationException if the watch ends the runs
   * @throws IOException if a file cannot be read
   */
  public static ComparedRuns of(
      Path file,
      Optional<ModelProto> instead,
      ModelGraph graph,
      PlannedValues planned,
      PlanProblem problem,
      OffsetsAssignment plan,
      long seed,
      RunWatch watch)
      throws IOException {
    String source = file.toString();
    checkMemory(source, plan.totalBytes(), RandomInputs.bytes(graph, planned));
    OperatorModel operators = OperatorModel.of(graph, ModelInitializers.of(file, graph));
    // Each run has its own inputs, because ONNX Runtime can write over inputs and return them.
    try (EngineStop stop = new EngineStop(watch.stop());
        RandomInputs inputs = RandomInputs.of(source, graph, planned, seed);
        RandomInputs whole = RandomInputs.of(source, graph, planned, seed);
        RandomInputs fused = RandomInputs.of(source, graph, planned, seed);
        WholeRun asWritten = WholeRun.asWritten(file, instead, whole.tensors(), stop);
        PlannedRun run = new PlannedRun(source, graph, planned, problem, plan, operators, stop)) {
      Map<String, OnnxValue> outputs = run.run(inputs, watch.operatorsDone());
      List<Output> compared = new ArrayList<>();
      try (WholeRun optimized = WholeRun.optimized(file, fused.tensors(), stop)) {
        for (Map.Entry<String, OnnxValue> output : outputs.entrySet()) {
          compared.add(compare(output.getKey(), output.getValue(), asWritten, optimized));
        }
      }
      if (!compared.stream().allMatch(Output::isBitIdentical)) {
        rejectRandom(source, graph);
      }
      return new ComparedRuns(
          compared, asWritten.peakBytes(), asWritten.peakFailure(), run.unbound());
    } catch (OrtException e) {
      throw EngineRefusal.of(source, e);
    }
  }

  /** Rejects a model that would make the operating system end the process. */
  private static void checkMemory(String source, long arenaBytes, long inputBytes)
      throws MalformedFileException {
    try (HostMemory memory = HostMemory.open()) {
      long leftBytes = memory.availableBytes();
      if (arenaBytes > leftBytes || inputBytes > (leftBytes - arenaBytes) / RUN_COUNT) {
        throw new MalformedFileException(
            source,
            String.format(
                Locale.ROOT,
                "needs an arena of %d bytes and inputs of %d bytes for each of %d runs, expected at most %d bytes, the free memory of this machine",
                arenaBytes,
                inputBytes,
                RUN_COUNT,
                leftBytes));
      }
    }
  }

  /**
   * {@return the types of values in a run in ONNX Runtime}
   *
   * @param file the model
   * @param graph its graph
   * @param planned the types of its values that are known
   * @param seed the seed of the inputs
   * @param names the values; if there are none, nothing runs
   * @param watch can end the run
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws CancellationException if the watch ends the run
   * @throws IOException if a file cannot be read
   */
  public static Map<String, ValueType> typesOf(
      Path file,
      ModelGraph graph,
      PlannedValues planned,
      long seed,
      List<String> names,
      RunWatch watch)
      throws IOException {
    if (names.isEmpty()) {
      return Map.of();
    }
    String source = file.toString();
    try (EngineStop stop = new EngineStop(watch.stop());
        RandomInputs inputs = RandomInputs.of(source, graph, planned, seed)) {
      ModelProto.Builder model = graph.model().toBuilder();
      model
          .getGraphBuilder()
          .clearInitializer()
          .addAllInitializer(ModelInitializers.of(file, graph));
      return WholeRun.typesOf(model.build(), inputs.tensors(), names, stop);
    } catch (OrtException e) {
      throw EngineRefusal.of(source, e);
    }
  }

  /**
   * Starts ONNX Runtime, unless it is running.
   *
   * @throws LinkageError if it is missing
   */
  public static void startEngine() {
    EngineEnvironment.get();
  }

  /** Rejects a model with random operators, because its outputs may differ. */
  private static void rejectRandom(String source, ModelGraph graph) throws MalformedFileException {
    for (GraphNode node : graph.nodes()) {
      if (node.mayBeRandom()) {
        throw new MalformedFileException(
            source,
            node.toString(),
            "computes random values, which differ from run to run; expected a model without random operators");
      }
    }
  }

  private static Output compare(
      String name, OnnxValue planned, WholeRun asWritten, WholeRun optimized) throws OrtException {
    OutputDifference exact =
        OutputDifference.of(planned, asWritten.outputs().get(name).orElseThrow());
    OutputDifference near =
        OutputDifference.of(planned, optimized.outputs().get(name).orElseThrow());
    return new Output(
        name,
        planned instanceof OnnxTensor tensor
            ? EngineTypes.typeOf(tensor.getInfo())
            : Optional.empty(),
        exact.elementCount(),
        exact.isBitIdentical(),
        exact.maxAbsDifference(),
        near.maxAbsDifference());
  }
}
