package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.OperatorModel;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import dev.stowage.plan.MalformedFileException;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.IntConsumer;

/**
 * A run of a model, operator by operator: ONNX Runtime runs each operator separately. All planned
 * values are in one arena, at the offsets of a plan.
 */
final class PlannedRun implements AutoCloseable {

  private final String source;
  private final ModelGraph graph;
  private final PlannedValues planned;
  private final List<TensorUsageRecord> records;
  private final OperatorModel operators;
  private final EngineStop stop;
  private final PoisonedArena arena;

  /** A live value; this run owns the values that it created, and the caller owns the inputs. */
  private record Live(OnnxValue value, boolean isOwned) {

    void closeIfOwned() {
      if (isOwned) {
        value.close();
      }
    }
  }

  /** The live values, by the index of the value. */
  private final Map<Integer, Live> live = new HashMap<>();

  /** The memory of inputs of the caller and of their views, by the index of the value. */
  private final Map<Integer, MemorySegment> callerMemory = new HashMap<>();

  /** The planned values in memory of ONNX Runtime. */
  private final Set<GraphValue> unbound = new HashSet<>();

  PlannedRun(
      String source,
      ModelGraph graph,
      PlannedValues planned,
      PlanProblem problem,
      OffsetsAssignment plan,
      OperatorModel operators,
      EngineStop stop)
      throws MalformedFileException {
    this.source = source;
    this.graph = graph;
    this.planned = planned;
    this.records = problem.records();
    this.operators = operators;
    this.stop = stop;
    this.arena = new PoisonedArena(source, problem, plan);
  }

  /**
   * {@return the outputs by name, which are closed with this run}
   *
   * @param inputs the inputs of the model
   * @param operatorsDone receives the number of operators that have run
   * @throws MalformedFileException if ONNX Runtime rejects an operator, or if its Java classes do
   *     not support an input of an operator
   * @throws CancellationException if the caller stops the run
   */
  Map<String, OnnxValue> run(RandomInputs inputs, IntConsumer operatorsDone)
      throws MalformedFileException, OrtException {
    for (GraphValue value : graph.values()) {
      if (value.source() == GraphValue.Source.INPUT) {
        bindInput(value, inputs);
      }
    }
    List<List<Integer>> ending = recordsByLastTask();
    for (GraphNode node : graph.nodes()) {
      operatorsDone.accept(node.task());
      stop.check(stoppedAt(node));
      if (isRun(node)) {
        run(node);
      }
      closeUnused(node);
      if (node.task() < graph.nodes().size() - 1) { // outputs stay in use
        ending.get(node.task()).forEach(arena::endUse);
      }
    }
    operatorsDone.accept(graph.nodes().size());
    Map<String, OnnxValue> outputs = new LinkedHashMap<>();
    for (GraphValue value : graph.outputs()) {
      if (value.source() == GraphValue.Source.INITIALIZER) {
        copyInitializer(value);
      }
      outputs.put(
          value.name(),
          Optional.ofNullable(live.get(value.index()))
              .orElseThrow(() -> new AssertionError("no operator computed output " + value.name()))
              .value());
    }
    return outputs;
  }

  private String stoppedAt(GraphNode node) {
    return String.format(
        Locale.ROOT,
        "stopped after %d of %d operators in planned memory",
        node.task(),
        graph.nodes().size());
  }

  private void copyInitializer(GraphValue initializer) throws OrtException {
    byte[] model = operators.modelOfCopy(initializer).toByteArray();
    try (SessionOptions options = EngineEnvironment.options(OptLevel.NO_OPT);
        OrtSession session = EngineEnvironment.get().createSession(model, options)) {
      putOwned(initializer.index(), session.run(Map.of()).get(0));
    }
  }

  /** {@return the planned values in ONNX Runtime's memory, because it accepts no other for them} */
  Set<GraphValue> unbound() {
    return unbound;
  }

  private void bindInput(GraphValue input, RandomInputs inputs) throws OrtException {
    OptionalInt record = planned.recordOf(input);
    MemorySegment bytes = inputs.segments().get(input.name());
    if (record.isPresent() && bytes != null) {
      MemorySegment segment = arena.startUse(record.getAsInt());
      segment.copyFrom(bytes);
      putOwned(input.index(), BoundTensor.of(segment, planned.type(input)));
    } else {
      OnnxTensor tensor = inputs.tensors().get(input.name());
      if (tensor != null) {
        live.put(input.index(), new Live(tensor, false));
      }
      if (bytes != null) {
        callerMemory.put(input.index(), bytes);
      }
    }
  }

  private List<List<Integer>> recordsByLastTask() {
    List<List<Integer>> ending = new ArrayList<>();
    graph.nodes().forEach(node -> ending.add(new ArrayList<>()));
    for (int i = 0; i < records.size(); i++) {
      ending.get((int) records.get(i).lastTask()).add(i);
    }
    return ending;
  }

  /**
   * {@return false for constants, which are parts of the models of the operators that read them}
   */
  private boolean isRun(GraphNode node) {
    return !node.isConstant()
        || node.writes().stream().anyMatch(value -> graph.values().get(value).isOutput());
  }

  private void run(GraphNode node) throws MalformedFileException {
    Map<String, OnnxTensorLike> inputs = new LinkedHashMap<>();
    for (GraphValue value : operators.inputsOf(node)) {
      Optional<OnnxTensorLike> tensor = tensor(value);
      if (tensor.isEmpty()) {
        throw new MalformedFileException(
            source,
            node.toString(),
            String.format(
                Locale.ROOT,
                "reads '%s', which is not a tensor; expected operators with tensors as inputs",
                MalformedFileException.excerpt(value.name())));
      }
      if (elementCode(value, tensor.get()).isEmpty()) {
        throw new MalformedFileException(
            source,
            node.toString(),
            String.format(
                Locale.ROOT,
                "reads '%s', but neither the file nor ONNX Runtime's Java classes have its element type; expected a file with the type",
                MalformedFileException.excerpt(value.name())));
      }
      inputs.put(value.name(), tensor.get());
    }
    Set<String> fromEngine = new HashSet<>();
    Map<String, OnnxValue> bound = new LinkedHashMap<>();
    try {
      for (int index : node.writes()) {
        GraphValue value = graph.values().get(index);
        Optional<MemorySegment> memory = memoryOf(value, node);
        if (memory.isPresent()) {
          OnnxTensor tensor = BoundTensor.of(memory.get(), planned.type(value));
          bound.put(value.name(), tensor);
          putOwned(index, tensor);
        } else {
          fromEngine.add(value.name());
          planned.recordOf(value).ifPresent(_ -> unbound.add(value));
        }
      }
      byte[] model = operators.modelOf(node, this::info).toByteArray();
      try (SessionOptions options = EngineEnvironment.options(OptLevel.NO_OPT);
          OrtSession session = EngineEnvironment.get().createSession(model, options)) {
        OrtSession.Result result = session.run(inputs, fromEngine, bound, stop.options());
        for (int index : node.writes()) {
          String name = graph.values().get(index).name();
          if (fromEngine.contains(name)) {
            putOwned(index, result.get(name).orElseThrow());
          }
        }
      }
    } catch (OrtException e) {
      stop.check(stoppedAt(node));
      throw EngineRefusal.of(source, node.toString(), e);
    }
  }

  /** {@return the memory for a result, or empty if ONNX Runtime allocates it} */
  private Optional<MemorySegment> memoryOf(GraphValue value, GraphNode producer) {
    OptionalInt record = planned.recordOf(value);
    Optional<MemorySegment> memory =
        (record.isPresent()
                ? Optional.of(arena.startUse(record.getAsInt()))
                : viewOfCallerMemory(producer).filter(at -> isViewOf(value, at)))
            .filter(at -> BoundTensor.isPossible(planned.type(value), at.byteSize()));
    if (record.isEmpty()) {
      memory.ifPresent(at -> callerMemory.put(value.index(), at));
    }
    return memory;
  }

  /** {@return true if a value without a record of its own is a view of all bytes of the memory} */
  private boolean isViewOf(GraphValue value, MemorySegment memory) {
    return planned.isInCallerMemory(value)
        && ValueBytes.of(planned.type(value)) instanceof ValueBytes.Known(long bytes)
        && bytes == memory.byteSize();
  }

  /** {@return the caller's memory if the operator returns a view of it, or empty} */
  private Optional<MemorySegment> viewOfCallerMemory(GraphNode node) {
    return node.isView() && node.proto().getInputCount() > 0
        ? graph.value(node.proto().getInput(0)).map(value -> callerMemory.get(value.index()))
        : Optional.empty();
  }

  private Optional<OnnxTensorLike> tensor(GraphValue value) {
    return Optional.ofNullable(live.get(value.index()))
        .map(Live::value)
        .filter(OnnxTensorLike.class::isInstance)
        .map(OnnxTensorLike.class::cast);
  }

  private void putOwned(int index, OnnxValue made) {
    live.put(index, new Live(made, true));
  }

  /** {@return the element type of a tensor, or empty if it is unknown} */
  private OptionalInt elementCode(GraphValue value, OnnxTensorLike tensor) {
    Optional<ElementType> known = EngineTypes.elementType(tensor.getInfo());
    if (known.isPresent()) {
      return OptionalInt.of(known.get().code());
    }
    return planned.type(value) instanceof ValueType.Tensor type
            && ElementType.ofCode(type.elementCode()).isPresent()
        ? OptionalInt.of(type.elementCode())
        : OptionalInt.empty();
  }

  /** {@return a value, with its type in this run, as an input of an operator's model} */
  private ValueInfoProto info(GraphValue value) {
    OnnxTensorLike tensor = tensor(value).orElseThrow();
    List<Long> dimensions = Arrays.stream(tensor.getInfo().getShape()).boxed().toList();
    int elementCode = elementCode(value, tensor).orElseThrow();
    return ValueType.Tensor.of(elementCode, dimensions).infoOf(value.name());
  }

  /** Closes the values that no later operator reads. */
  private void closeUnused(GraphNode node) {
    Set<Integer> touched = new HashSet<>(node.reads());
    touched.addAll(node.writes());
    for (int index : touched) {
      GraphValue value = graph.values().get(index);
      if (value.lastTask() <= node.task() && !value.isOutput()) {
        Optional.ofNullable(live.remove(index)).ifPresent(Live::closeIfOwned);
      }
    }
  }

  @Override
  public void close() {
    live.values().forEach(Live::closeIfOwned);
    arena.close();
  }
}
