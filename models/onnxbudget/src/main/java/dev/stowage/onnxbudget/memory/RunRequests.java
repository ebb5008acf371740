package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The requests of a run in the order of ONNX Runtime's calls. The caller closes the outputs at the
 * end.
 */
final class RunRequests {

  private final ModelGraph graph;
  private final BufferPlan plan;
  private final ToLongFunction<GraphValue> bytes;
  private final Function<GraphNode, List<Long>> workspace;
  private final Function<GraphNode, BodyRun> bodies;
  private final List<Request> requests = new ArrayList<>();

  /** The requests of buffers that are in use, in the order of the requests. */
  private final Set<Integer> live = new LinkedHashSet<>();

  /** The requests for outputs by the names of the values. */
  private final Map<String, Integer> outputs = new LinkedHashMap<>();

  private int count;

  /**
   * Creates the requests of a run.
   *
   * @param graph the optimized graph
   * @param plan its buffers
   * @param bytes the sizes of values
   * @param workspace the sizes of the requests of kernels for the time of their execution
   * @param bodies the requests of the bodies of operators
   * @param firstId the number of the first request
   */
  RunRequests(
      ModelGraph graph,
      BufferPlan plan,
      ToLongFunction<GraphValue> bytes,
      Function<GraphNode, List<Long>> workspace,
      Function<GraphNode, BodyRun> bodies,
      int firstId) {
    this.graph = graph;
    this.plan = plan;
    this.bytes = bytes;
    this.workspace = workspace;
    this.bodies = bodies;
    this.count = firstId;
  }

  /** {@return the requests of a run without a memory pattern, one for each buffer} */
  List<Request> each() {
    addEach(true);
    return finish();
  }

  /** {@return the requests of a run for intermediate tensors} */
  List<Request> intermediates() {
    addEach(false);
    return finish();
  }

  /** {@return the requests of a run without a memory pattern, whose outputs stay in use} */
  List<Request> eachKeepingOutputs() {
    addEach(true);
    live.forEach(this::free);
    return List.copyOf(requests);
  }

  private void addEach(boolean withOutputs) {
    int[] ids = new int[graph.values().size()];
    for (GraphNode node : graph.nodes()) {
      BodyRun body = bodies.apply(node);
      int bodyId = addBody(body);
      for (GraphValue result : results(node)) {
        if (result.isOutput()) {
          outputs.put(result.name(), allocate(withOutputs ? bytes.applyAsLong(result) : 0));
        } else if (plan.isAllocated(result.index())) {
          ids[result.index()] = allocate(bytes.applyAsLong(result));
          live.add(ids[result.index()]);
        }
      }
      addNumbered(body.after(), bodyId);
      addWorkspace(node);
      for (int released : plan.released(node.task())) {
        free(ids[released]);
        live.remove(ids[released]);
      }
    }
  }

  /** Adds the requests before the results. {@return the number of the first one} */
  private int addBody(BodyRun body) {
    int first = count;
    count += body.idCount();
    addNumbered(body.before(), first);
    return first;
  }

  private void addNumbered(List<Request> added, int first) {
    for (Request request : added) {
      requests.add(
          switch (request) {
            case Request.Allocate(int id, long size) -> new Request.Allocate(first + id, size);
            case Request.Reserve(int id, long size) -> new Request.Reserve(first + id, size);
            case Request.Free(int id) -> new Request.Free(first + id);
          });
    }
  }

  /**
   * {@return the requests of a run with a memory pattern, which has one block for all buffers}
   *
   * @param blockBytes the size of the block
   */
  List<Request> withBlock(long blockBytes) {
    addWithBlock(blockBytes);
    return finish();
  }

  /**
   * {@return the requests of a run with a memory pattern, whose outputs stay in use}
   *
   * @param blockBytes the size of the block
   */
  List<Request> withBlockKeepingOutputs(long blockBytes) {
    addWithBlock(blockBytes);
    live.forEach(this::free);
    return List.copyOf(requests);
  }

  private void addWithBlock(long blockBytes) {
    if (blockBytes > 0) {
      live.add(allocate(blockBytes));
    }
    for (GraphNode node : graph.nodes()) {
      BodyRun body = bodies.apply(node);
      int bodyId = addBody(body);
      for (GraphValue result : results(node)) {
        if (result.isOutput()) {
          outputs.put(result.name(), allocate(bytes.applyAsLong(result)));
        }
      }
      addNumbered(body.after(), bodyId);
      addWorkspace(node);
    }
  }

  /** {@return the numbers of the requests for outputs, by the names of the values} */
  Map<String, Integer> outputs() {
    return outputs;
  }

  /** {@return the number of the next request} */
  int nextId() {
    return count;
  }

  /** {@return the size of the block of a memory pattern} */
  long blockBytes() {
    PatternBlock block = new PatternBlock();
    for (GraphNode node : graph.nodes()) {
      for (GraphValue result : results(node)) {
        if (plan.isAllocated(result.index())) {
          block.add(result.index(), bytes.applyAsLong(result));
        }
      }
      plan.released(node.task()).forEach(block::remove);
    }
    return block.bytes();
  }

  private List<GraphValue> results(GraphNode node) {
    return node.writes().stream().map(graph.values()::get).toList();
  }

  private void addWorkspace(GraphNode node) {
    List<Integer> ids = workspace.apply(node).stream().map(this::allocate).toList();
    ids.reversed().forEach(this::free);
  }

  private int allocate(long size) {
    requests.add(new Request.Allocate(count, size));
    return count++;
  }

  private void free(int id) {
    requests.add(new Request.Free(id));
  }

  /** Frees the other buffers, and then the outputs. */
  private List<Request> finish() {
    live.forEach(this::free);
    outputs.values().forEach(this::free);
    return List.copyOf(requests);
  }
}
