package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.OperatorModel;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.RoundedHalves;
import dev.stowage.onnx.graph.ValueRecords;
import dev.stowage.onnx.graph.ValueType;
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
 * One model run three times with the same inputs: by the engine as the file says, by the engine
 * with its default optimizations, and operator by operator in one arena laid out by a plan.
 *
 * @param outputs the outputs of the planned run beside those of the others
 * @param peakBytes what the engine's own intermediates took at most; empty if it does not say
 * @param peakFailure why the engine does not say it, if it should have
 * @param unbound planned values that the engine kept in memory of its own
 */
public record ComparedRuns(
    List<Output> outputs,
    OptionalLong peakBytes,
    Optional<String> peakFailure,
    Set<GraphValue> unbound) {

  private static final int RUN_COUNT = 3;

  /** What an arena's offsets are multiples of, as in the engine's own: a cache line. */
  public static final long ALIGNMENT_BYTES = 64;

  /**
   * An output.
   *
   * @param name its name
   * @param elementCount how many elements it has
   * @param isBitIdentical whether it is that of the engine, bit for bit
   * @param maxAbsDifference the largest difference to that; {@link Double#MAX_VALUE} if none can be
   *     told
   * @param optimizedMaxAbsDifference the largest difference to the engine's with optimizations
   */
  public record Output(
      String name,
      long elementCount,
      boolean isBitIdentical,
      double maxAbsDifference,
      double optimizedMaxAbsDifference) {}

  /**
   * {@return what came of the runs}
   *
   * @param file the model
   * @param graph its graph
   * @param planned what is known of its values
   * @param records which of them are planned
   * @param plan the offset of each record, a multiple of {@link #ALIGNMENT_BYTES}
   * @param seed of the inputs
   * @param watch follows the runs, and may end them
   * @throws MalformedFileException if the engine refuses the model or an operator, or outputs
   *     differ that are random
   * @throws CancellationException if the watch ends the runs
   * @throws IOException if a file cannot be read
   */
  public static ComparedRuns of(
      Path file,
      ModelGraph graph,
      PlannedValues planned,
      ValueRecords records,
      OffsetsAssignment plan,
      long seed,
      RunWatch watch)
      throws IOException {
    String source = file.toString();
    checkMemory(source, plan.totalBytes(), RandomInputs.bytes(graph, planned));
    OperatorModel operators = OperatorModel.of(graph, ModelInitializers.of(file, graph));
    // The engine writes over inputs at times, and outputs may lie in them: each run has its own.
    try (EngineStop stop = new EngineStop(watch.stop());
        RandomInputs inputs = RandomInputs.of(source, graph, planned, seed);
        RandomInputs whole = RandomInputs.of(source, graph, planned, seed);
        RandomInputs fused = RandomInputs.of(source, graph, planned, seed);
        WholeRun asWritten =
            WholeRun.asWritten(file, RoundedHalves.in(graph, planned), whole.tensors(), stop);
        PlannedRun run = new PlannedRun(source, graph, planned, records, plan, operators, stop)) {
      Map<String, OnnxValue> outputs = run.run(inputs, watch.operatorsDone());
      try (WholeRun optimized = WholeRun.optimized(file, fused.tensors(), stop)) {
        List<Output> compared = new ArrayList<>();
        for (Map.Entry<String, OnnxValue> output : outputs.entrySet()) {
          compared.add(compare(output.getKey(), output.getValue(), asWritten, optimized));
        }
        if (!compared.stream().allMatch(Output::isBitIdentical)) {
          refuseRandom(source, graph);
        }
        return new ComparedRuns(
            compared, asWritten.peakBytes(), asWritten.peakFailure(), run.unbound());
      }
    } catch (OrtException e) {
      throw EngineRefusal.of(source, e);
    }
  }

  /** Refuses what the system would promise, and then end the process for. */
  private static void checkMemory(String source, long arenaBytes, long inputBytes)
      throws MalformedFileException {
    try (HostMemory memory = HostMemory.open()) {
      long leftBytes = memory.availableBytes();
      if (arenaBytes > leftBytes || inputBytes > (leftBytes - arenaBytes) / RUN_COUNT) {
        throw new MalformedFileException(
            source,
            String.format(
                Locale.ROOT,
                "needs an arena of %d bytes and inputs of %d bytes for each of %d runs, expected at most the %d bytes that this machine has left",
                arenaBytes,
                inputBytes,
                RUN_COUNT,
                leftBytes));
      }
    }
  }

  /**
   * {@return the types that values have in a run of the engine}
   *
   * @param file the model
   * @param graph its graph
   * @param planned what is known of its values
   * @param seed of the inputs
   * @param names the values; nothing is run for none
   * @param watch may end the run
   * @throws MalformedFileException if the engine refuses the model
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
   * Starts the engine, unless it runs.
   *
   * @throws LinkageError if it is not there
   */
  public static void startEngine() {
    EngineEnvironment.get();
  }

  /** Refuses a model whose outputs may differ because they are random. */
  private static void refuseRandom(String source, ModelGraph graph) throws MalformedFileException {
    for (GraphNode node : graph.nodes()) {
      if (node.mayBeRandom()) {
        throw new MalformedFileException(
            source,
            node.toString(),
            "makes values by chance, others than in ONNX Runtime's own run; expected a model whose outputs can be compared");
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
        exact.elementCount(),
        exact.isBitIdentical(),
        exact.maxAbsDifference(),
        near.maxAbsDifference());
  }
}
