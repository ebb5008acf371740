package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import dev.stowage.onnx.engine.EngineOptimization;
import dev.stowage.onnx.engine.EngineShapes;
import dev.stowage.onnx.engine.ProfiledModel;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.FixedDimensions;
import dev.stowage.onnx.graph.GraphAssembly;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.onnxbudget.layout.CpuLayout;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The graph that a session of ONNX Runtime runs, with the buffers that the session plans for it.
 *
 * <p>Predictions follow the rules of ONNX Runtime for the CPU: the order of operators and the reuse
 * of buffers in its planner, its memory pattern, its copies of weights and its arena. For some
 * models, the order of independent operators differs from session to session. A prediction
 * describes one session.
 */
public final class OptimizedModel {

  private static final int LEVEL_OF_LAYOUTS = 3;

  private final String source;
  private final EngineSettings settings;
  private final ModelGraph graph;
  private final BufferPlan plan;

  /** The bodies by the tasks of their operators. */
  private final Map<Integer, List<PlannedBody>> bodies;

  private final GraphProto original;

  private OptimizedModel(
      String source,
      EngineSettings settings,
      ModelGraph graph,
      BufferPlan plan,
      Map<Integer, List<PlannedBody>> bodies,
      GraphProto original) {
    this.source = source;
    this.settings = settings;
    this.graph = graph;
    this.plan = plan;
    this.bodies = bodies;
    this.original = original;
  }

  /**
   * {@return the graph of a model}
   *
   * <p>ONNX Runtime loads the model, and writes the optimized one with all weights into a temporary
   * folder.
   *
   * @param model the file
   * @param settings the options of the session
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws IOException if the model cannot be read, or the optimized one cannot be written
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static OptimizedModel load(Path model, EngineSettings settings) throws IOException {
    return variants(model, settings, 1).getFirst();
  }

  /**
   * {@return the graphs of some sessions, without those whose operators have the same order}
   *
   * <p>ONNX Runtime loads the model once. The layout for the processor, and thus the order of some
   * operators, follows from rules.
   *
   * @param model the file
   * @param settings the options of the sessions
   * @param count the number of sessions
   * @throws MalformedFileException if ONNX Runtime rejects the model
   * @throws IOException if the model cannot be read, or the optimized one cannot be written
   * @throws LinkageError if ONNX Runtime is missing
   */
  public static List<OptimizedModel> variants(Path model, EngineSettings settings, int count)
      throws IOException {
    if (settings.optimizationLevel() < LEVEL_OF_LAYOUTS) {
      EngineOptimization written = EngineOptimization.of(model, settings.optimizationLevel());
      return List.of(of(model.toString(), written.original(), written.optimized(), settings));
    }
    EngineOptimization written = EngineOptimization.withoutLayout(model);
    ModelProto original = written.original();
    List<OptimizedModel> variants = new ArrayList<>();
    Set<List<List<String>>> orders = new HashSet<>();
    for (int seed = 0; seed < count; seed++) {
      ModelProto optimized =
          CpuLayout.of(original, written.optimized(), settings.cpu().blockChannels(), seed);
      if (orders.add(order(optimized.getGraph()))) {
        variants.add(of(model.toString(), original, optimized, settings));
      }
    }
    return variants;
  }

  private static List<List<String>> order(GraphProto graph) {
    return graph.getNodeList().stream().map(node -> List.copyOf(node.getOutputList())).toList();
  }

  /**
   * {@return the graph of a session}
   *
   * @param source the name of the model in messages
   * @param original the model
   * @param optimized the model that the session wrote
   */
  static OptimizedModel of(
      String source, ModelProto original, ModelProto optimized, EngineSettings settings)
      throws MalformedFileException {
    ModelGraph graph = GraphAssembly.assemble(source, optimized);
    Map<String, ValueType> types = typesAtLoad(source, original, graph);
    Function<GraphValue, ValueType> known =
        value ->
            ValueType.merge(
                value.type(), types.getOrDefault(value.name(), new ValueType.Unknown()));
    BufferPlan plan = BufferPlan.of(graph, known);
    boolean hasShapes =
        graph.values().stream()
            .filter(value -> value.source() == GraphValue.Source.INPUT)
            .allMatch(value ->
                value.type() instanceof ValueType.Tensor tensor && tensor.shape().isPresent());
    // ONNX Runtime has no memory pattern if an input is not a tensor or has no shape.
    return new OptimizedModel(
        source,
        hasShapes ? settings : settings.withoutPattern(),
        graph,
        plan,
        PlannedBody.allOf(source, graph, known),
        original.getGraph());
  }

  /**
   * Infers the types that the session has. It infers them from the original model first. If an
   * optimization replaces the producer of a value, the type stays, even if the new operator has no
   * inference.
   */
  private static Map<String, ValueType> typesAtLoad(
      String source, ModelProto original, ModelGraph graph) throws MalformedFileException {
    Map<String, ValueType> types =
        new HashMap<>(EngineShapes.infer(source, graph.model(), graph.results()));
    ModelGraph before = GraphAssembly.assemble(source, original);
    List<String> open =
        before.results().stream()
            .filter(name -> graph.value(name).isPresent() && isOpen(types.get(name)))
            .toList();
    if (!open.isEmpty()) {
      EngineShapes.infer(source, original, open)
          .forEach(
              (name, type) -> types.merge(name, type, (now, old) -> ValueType.merge(old, now)));
    }
    return types;
  }

  private static boolean isOpen(@Nullable ValueType type) {
    return !(type instanceof ValueType.Tensor tensor)
        || tensor.shape().isEmpty()
        || tensor.shape().get().stream().anyMatch(DimensionSize.Unnamed.class::isInstance);
  }

  /** {@return true if an operator has a body, whose operators run as a part of this operator} */
  boolean hasBodies() {
    return graph.nodes().stream()
        .flatMap(node -> node.proto().getAttributeList().stream())
        .anyMatch(attribute -> attribute.hasG() || attribute.getGraphsCount() > 0);
  }

  /** {@return the optimized graph} */
  ModelGraph graph() {
    return graph;
  }

  /** {@return the options of the session} */
  EngineSettings settings() {
    return settings;
  }

  /** {@return the requests while a session is created} */
  List<Request> loadRequests() {
    return LoadRequests.of(graph.model().getGraph(), settings);
  }

  /** {@return the weights of a session, which do not depend on open dimensions} */
  public LoadedWeights weights() {
    long weightBytes =
        new SizedGraph(graph, Map.of(), settings).bytes(GraphValue.Source.INITIALIZER);
    long packedBytes = LoadRequests.packedBytes(graph.model().getGraph(), settings);
    int operators = OperatorCount.ofSession(original, graph.model().getGraph());
    return new LoadedWeights(
        operators, weightBytes, packedBytes, Math.max(0, weightBytes - packedBytes));
  }

  /**
   * {@return the memory of weights after the creation of sessions}
   *
   * @param sessions the number of sessions
   */
  public CreationMemory creation(int sessions) {
    return SessionCreation.of(original, graph.model().getGraph(), settings, sessions);
  }

  /**
   * {@return the memory of the first runs for some dimensions; later runs need no more}
   *
   * @param dimensions the sizes of open dimensions, by name or by position as {@code input[axis]}
   * @param observed the types in a run with these dimensions, for values whose type is not known
   *     before it
   * @param calibration the workspaces of kernels
   * @throws MalformedFileException if ONNX Runtime rejects the dimensions
   */
  public SessionUse use(
      Map<String, Long> dimensions,
      Map<String, ValueType.Tensor> observed,
      WorkspaceCalibration calibration)
      throws MalformedFileException {
    SizedGraph sized = sized(dimensions, observed);
    Map<Integer, List<SizedBody>> sizedBodies = sizedBodies(sized);
    List<Request> load = loadRequests();
    long loadBytes = TouchedMemory.bytes(load, settings.hasArena());
    long bare = touchedBytes(load, runs(sized, sizedBodies, (node, sizes) -> List.of()));
    long full =
        touchedBytes(
            load, runs(sized, sizedBodies, (node, sizes) -> workspace(node, sizes, calibration)));
    long outputBytes = sized.outputBytes();
    return new SessionUse(
        sized.bytes(GraphValue.Source.INPUT),
        outputBytes,
        Math.max(0, bare - loadBytes - outputBytes),
        Math.max(0, full - bare),
        notes(sized, sizedBodies, calibration));
  }

  /** {@return sentences on parts that a prediction lacks} */
  List<String> notes(
      SizedGraph sized,
      Map<Integer, List<SizedBody>> sizedBodies,
      WorkspaceCalibration calibration) {
    Set<String> unknownInBodies = new LinkedHashSet<>();
    sizedBodies
        .values()
        .forEach(ofNode -> ofNode.forEach(body -> unknownInBodies.addAll(body.unknown())));
    List<String> notes = new ArrayList<>(sized.notes(sizedBodies.keySet(), unknownInBodies));
    notes.addAll(UnknownWorkspace.notes(graph, sized, calibration, settings.threads()));
    return notes;
  }

  /**
   * {@return the measured workspace of an operator with the same shapes, else the one by a rule,
   * else the one scaled from other shapes}
   */
  List<Long> workspace(GraphNode node, SizedGraph sized, WorkspaceCalibration calibration) {
    return sized
        .measuredWorkspace(node, calibration)
        .or(() -> KernelWorkspace.of(new KernelOperands(node, sized), settings.threads()))
        .orElseGet(() -> sized.scaledWorkspace(node, calibration));
  }

  /** {@return the runs with the workspaces of operators of this graph and of bodies} */
  RunPrediction runs(
      SizedGraph sized,
      Map<Integer, List<SizedBody>> sizedBodies,
      BiFunction<GraphNode, SizedGraph, List<Long>> workspace) {
    return new RunPrediction(
        graph,
        plan,
        sized::bytes,
        node -> workspace.apply(node, sized),
        (node, isFirst) ->
            SizedBody.run(
                sizedBodies.getOrDefault(node.task(), List.of()),
                isFirst,
                body -> inner -> workspace.apply(inner, body.sizes())),
        settings);
  }

  private long touchedBytes(List<Request> load, RunPrediction runs) {
    List<Request> all = new ArrayList<>(load);
    all.addAll(runs.requests(1));
    all.addAll(runs.requests(2));
    return TouchedMemory.bytes(all, settings.hasArena());
  }

  /** {@return the bodies with sizes, without those whose sizes ONNX Runtime rejects} */
  Map<Integer, List<SizedBody>> sizedBodies(SizedGraph sized) {
    Map<Integer, List<SizedBody>> all = new HashMap<>();
    for (Map.Entry<Integer, List<PlannedBody>> each : bodies.entrySet()) {
      try {
        List<SizedBody> ofNode = new ArrayList<>();
        for (PlannedBody body : each.getValue()) {
          ofNode.add(body.sized(sized, settings));
        }
        all.put(each.getKey(), ofNode);
      } catch (MalformedFileException e) {
        all.remove(each.getKey()); // a note says that its tensors are not counted
      }
    }
    return all;
  }

  /** {@return the graph with the sizes for some dimensions} */
  SizedGraph sized(Map<String, Long> dimensions) throws MalformedFileException {
    return sized(dimensions, Map.of());
  }

  private SizedGraph sized(Map<String, Long> dimensions, Map<String, ValueType.Tensor> observed)
      throws MalformedFileException {
    FixedDimensions fixed = new FixedDimensions(dimensions);
    ModelGraph with = GraphAssembly.assemble(source, fixed.applyTo(graph.model()));
    Optional<String> misnamed = fixed.misnamed();
    if (misnamed.isPresent()) {
      throw new MalformedFileException(source, misnamed.get());
    }
    return new SizedGraph(
        with,
        EngineShapes.inferWithObserved(source, with, with.results(), observed).types(),
        settings);
  }

  /**
   * {@return the workspaces of operators without a rule, at least as large as those in a profile}
   *
   * @param profile the profile of a session that ran the model
   */
  public WorkspaceCalibration profiled(ProfiledModel profile) {
    return new ProfiledWorkspaces(original, graph, settings).of(profile);
  }
}
