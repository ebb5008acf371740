package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.NodeAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A body of an operator with the sizes of its values.
 *
 * @param planned the body with its buffers
 * @param sizes the sizes of its values
 * @param outerSizes the sizes of the values of the graph around it
 * @param iterations the iterations of a loop or scan, if they are known
 * @param inner the bodies in it, by the tasks of their operators
 * @param hasPattern true if later runs have a block for the tensors
 */
record SizedBody(
    BodyPlan planned,
    SizedGraph sizes,
    SizedGraph outerSizes,
    OptionalLong iterations,
    Map<Integer, List<SizedBody>> inner,
    boolean hasPattern) {

  /**
   * A body of an operator with its buffers.
   *
   * @param node the operator
   * @param graph the body
   * @param buffers the buffers
   */
  record BodyPlan(GraphNode node, ModelGraph graph, BufferPlan buffers) {}

  /** The most iterations that are simulated; later ones only add results that a loop collects. */
  private static final int MOST_ITERATIONS = 64;

  /** The iterations if their number is unknown; the later ones of these are alike. */
  private static final int SOME_ITERATIONS = 3;

  private static final int LOOP_STATES = 2;

  /**
   * {@return the requests of the bodies of an operator}
   *
   * @param bodies the bodies
   * @param isFirst true for the first run of the session
   * @param workspace the sizes of the requests of kernels in a body
   */
  static BodyRun run(
      List<SizedBody> bodies,
      boolean isFirst,
      Function<SizedBody, Function<GraphNode, List<Long>>> workspace) {
    BodyRun largest = BodyRun.NONE;
    for (SizedBody body : bodies) {
      Recording recording = new Recording(body, workspace);
      BodyRun run =
          switch (body.planned.node().proto().getOpType()) {
            case "If" -> recording.branch(isFirst);
            case "Loop" -> recording.loop(isFirst);
            case "Scan" -> recording.scan(isFirst);
            default -> BodyRun.NONE;
          };
      largest = peak(run) > peak(largest) ? run : largest;
    }
    return largest;
  }

  /** {@return the names of the values in this body and those in it whose size is unknown} */
  List<String> unknown() {
    List<String> unknown = new ArrayList<>(sizes.unknown());
    inner.values().forEach(bodies -> bodies.forEach(body -> unknown.addAll(body.unknown())));
    return unknown;
  }

  private long simulatedIterations() {
    return Math.min(iterations.orElse(SOME_ITERATIONS), MOST_ITERATIONS);
  }

  private static long peak(BodyRun run) {
    List<Request> all = new ArrayList<>(run.before());
    all.addAll(run.after());
    return RunPrediction.peakBytes(all);
  }

  /** The requests of the runs of a body, with one sequence of numbers. */
  private static final class Recording {

    private final SizedBody body;
    private final Function<SizedBody, Function<GraphNode, List<Long>>> workspace;
    private final List<Request> requests = new ArrayList<>();
    private int count;

    Recording(SizedBody body, Function<SizedBody, Function<GraphNode, List<Long>>> workspace) {
      this.body = body;
      this.workspace = workspace;
    }

    private RunRequests runOf(boolean isFirst, ToLongFunction<GraphValue> bytes) {
      return new RunRequests(
          body.planned.graph(),
          body.planned.buffers(),
          bytes,
          workspace.apply(body),
          inner -> run(body.inner.getOrDefault(inner.task(), List.of()), isFirst, workspace),
          count);
    }

    /** Adds a run whose outputs stay in use. {@return the numbers of the outputs by name} */
    private Map<String, Integer> addRun(boolean isFirst, ToLongFunction<GraphValue> bytes) {
      RunRequests run = runOf(isFirst, bytes);
      List<Request> added =
          isFirst || !body.hasPattern
              ? run.eachKeepingOutputs()
              : run.withBlockKeepingOutputs(runOf(true, bytes).blockBytes());
      requests.addAll(added);
      count = run.nextId();
      return run.outputs();
    }

    private int allocate(long bytes) {
      requests.add(new Request.Allocate(count, bytes));
      return count++;
    }

    private void free(int id) {
      requests.add(new Request.Free(id));
    }

    /** The outputs of a branch are the results of the operator. */
    BodyRun branch(boolean isFirst) {
      addRun(isFirst, this::bytesOfIntermediates).values().forEach(this::free);
      return new BodyRun(List.of(), List.copyOf(requests));
    }

    private long bytesOfIntermediates(GraphValue value) {
      return value.isOutput() ? 0 : body.sizes.bytes(value);
    }

    /** Each iteration reads the results of the previous one; a loop collects the other results. */
    BodyRun loop(boolean isFirst) {
      List<Integer> kept = new ArrayList<>();
      kept.add(allocate(Long.BYTES)); // the iteration
      List<String> outputs =
          body.planned.graph().model().getGraph().getOutputList().stream()
              .map(output -> output.getName())
              .toList();
      int stateCount = body.planned.node().proto().getInputCount() - LOOP_STATES + 1;
      List<String> states = outputs.subList(0, Math.min(outputs.size(), stateCount));
      long collectedBytes = 0;
      // The first iteration reads the condition of the operator.
      Map<String, Integer> previous = Map.of("", allocate(1));
      for (int iteration = 0; iteration < body.simulatedIterations(); iteration++) {
        Map<String, Integer> now =
            new LinkedHashMap<>(addRun(isFirst && iteration == 0, body.sizes::bytes));
        previous.values().forEach(this::free);
        for (String output : List.copyOf(now.keySet())) {
          if (!states.contains(output)) {
            kept.add(now.remove(output));
            collectedBytes += body.planned.graph().value(output).map(body.sizes::bytes).orElse(0L);
          }
        }
        previous = now;
      }
      long results = 0;
      for (int i = stateCount - 1; i < body.planned.node().proto().getOutputCount(); i++) {
        results += body.outerSizes.bytes(body.planned.node().proto().getOutput(i));
      }
      if (results > collectedBytes) {
        kept.add(allocate(results - collectedBytes));
      }
      int end = requests.size();
      previous.values().forEach(this::free);
      kept.forEach(this::free);
      return new BodyRun(
          List.copyOf(requests.subList(0, end)),
          List.copyOf(requests.subList(end, requests.size())));
    }

    /**
     * A scan has up to two buffers for each state; the last iteration writes into the result. Its
     * slices are parts of inputs and results.
     */
    BodyRun scan(boolean isFirst) {
      int stateCount =
          body.planned.graph().model().getGraph().getOutputCount() == 0
              ? 0
              : body.planned.node().proto().getInputCount()
                  - (int) NodeAttributes.integer(body.planned.node().proto(), "num_scan_inputs", 0);
      List<Integer> kept = new ArrayList<>();
      for (int i = 0; i < stateCount; i++) {
        String state = body.planned.graph().model().getGraph().getOutput(i).getName();
        long bytes = body.planned.graph().value(state).map(body.sizes::bytes).orElse(0L);
        for (int buffer = 0; buffer < Math.min(2, body.simulatedIterations() - 1); buffer++) {
          kept.add(allocate(bytes));
        }
      }
      for (int iteration = 0; iteration < body.simulatedIterations(); iteration++) {
        addRun(isFirst && iteration == 0, this::bytesOfIntermediates).values().forEach(this::free);
      }
      kept.forEach(this::free);
      return new BodyRun(List.of(), List.copyOf(requests));
    }
  }
}
