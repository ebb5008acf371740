package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The memory of the first two runs of a session; later runs with the same shapes need no more. */
final class RunPrediction {

  /** The numbers of the requests of each run, apart from those of other runs. */
  private static final int IDS_OF_A_RUN = 1 << 28;

  /** The requests of bodies. */
  @FunctionalInterface
  interface BodyRuns {

    /**
     * {@return the requests of the bodies of an operator}
     *
     * @param isFirst true for the first run of the session
     */
    BodyRun of(GraphNode node, boolean isFirst);
  }

  private final ModelGraph graph;
  private final BufferPlan plan;
  private final ToLongFunction<GraphValue> bytes;
  private final Function<GraphNode, List<Long>> workspace;
  private final BodyRuns bodies;
  private final EngineSettings settings;

  RunPrediction(
      ModelGraph graph,
      BufferPlan plan,
      ToLongFunction<GraphValue> bytes,
      Function<GraphNode, List<Long>> workspace,
      BodyRuns bodies,
      EngineSettings settings) {
    this.graph = graph;
    this.plan = plan;
    this.bytes = bytes;
    this.workspace = workspace;
    this.bodies = bodies;
    this.settings = settings;
  }

  private RunRequests run(int number) {
    return new RunRequests(
        graph, plan, bytes, workspace, node -> bodies.of(node, number == 1), number * IDS_OF_A_RUN);
  }

  /** {@return the requests of a run, counted from 1} */
  List<Request> requests(int number) {
    return number > 1 && settings.hasPattern()
        ? run(number).withBlock(blockBytes())
        : run(number).each();
  }

  /** {@return the size of the block of a memory pattern; 0 without patterns} */
  long blockBytes() {
    return settings.hasPattern() ? run(1).blockBytes() : 0;
  }

  /** {@return the requests for intermediate tensors in the first run} */
  List<Request> intermediates() {
    return run(1).intermediates();
  }

  /** {@return the most bytes that are in use at a time} */
  static long peakBytes(List<Request> requests) {
    Map<Integer, Long> live = new HashMap<>();
    long bytes = 0;
    long most = 0;
    for (Request request : requests) {
      switch (request) {
        case Request.Reserve(int id, long size) -> {
          live.put(id, size);
          bytes += size;
        }
        case Request.Allocate(int id, long size) -> {
          live.put(id, size);
          bytes += size;
        }
        case Request.Free(int id) -> bytes -= live.getOrDefault(id, 0L);
      }
      most = Math.max(most, bytes);
    }
    return most;
  }

  /** {@return the bytes that are in use after some requests} */
  static long liveBytes(List<Request> requests) {
    Map<Integer, Long> live = new HashMap<>();
    for (Request request : requests) {
      switch (request) {
        case Request.Reserve(int id, long size) -> live.put(id, size);
        case Request.Allocate(int id, long size) -> live.put(id, size);
        case Request.Free(int id) -> live.remove(id);
      }
    }
    return live.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * {@return the sizes of the requests that an operator frees itself and that are live when their
   * sum is largest}
   */
  static List<Long> workspace(List<Request> requests) {
    Set<Integer> freed = new HashSet<>();
    for (Request request : requests) {
      if (request instanceof Request.Free(int id)) {
        freed.add(id);
      }
    }
    Map<Integer, Long> live = new LinkedHashMap<>();
    List<Long> largest = List.of();
    long most = 0;
    for (Request request : requests) {
      switch (request) {
        case Request.Allocate(int id, long size) when freed.contains(id) -> live.put(id, size);
        case Request.Reserve(int id, long size) when freed.contains(id) -> live.put(id, size);
        case Request.Free(int id) -> live.remove(id);
        default -> {}
      }
      long bytes = live.values().stream().mapToLong(Long::longValue).sum();
      if (bytes > most) {
        most = bytes;
        largest = List.copyOf(live.values());
      }
    }
    return largest;
  }
}
