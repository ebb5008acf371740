package dev.stowage.onnx.engine;

import ai.onnx.proto.OnnxMl.ValueInfoProto;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxTensorLike;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.OrtSession.SessionOptions.OptLevel;
import dev.stowage.core.MalformedFileException;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.OperatorModel;
import dev.stowage.onnx.graph.PlannedValues;
import dev.stowage.onnx.graph.ValueRecords;
import dev.stowage.onnx.graph.ValueType;
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
 * A run of a model operator by operator, each by the engine, with all planned values in one arena
 * at the offsets of a plan.
 */
final class PlannedRun implements AutoCloseable {

  private final String source;
  private final ModelGraph graph;
  private final PlannedValues planned;
  private final ValueRecords records;
  private final OperatorModel operators;
  private final EngineStop stop;
  private final PoisonedArena arena;

  /** A value that is there at the moment, and whether it was made here, not by the caller. */
  private record Live(OnnxValue value, boolean isOwn) {

    void forget() {
      if (isOwn) {
        value.close();
      }
    }
  }

  /** By the index of the value. */
  private final Map<Integer, Live> live = new HashMap<>();

  /** By the index of the value, what lies in memory of the caller: inputs and views of these. */
  private final Map<Integer, MemorySegment> outside = new HashMap<>();

  private final Set<GraphValue> unbound = new HashSet<>();

  PlannedRun(
      String source,
      ModelGraph graph,
      PlannedValues planned,
      ValueRecords records,
      OffsetsAssignment plan,
      OperatorModel operators,
      EngineStop stop)
      throws MalformedFileException {
    this.source = source;
    this.graph = graph;
    this.planned = planned;
    this.records = records;
    this.operators = operators;
    this.stop = stop;
    this.arena = new PoisonedArena(source, records.records(), plan);
  }

  /**
   * {@return the outputs by name, good until this is closed}
   *
   * @param inputs the inputs of the model
   * @param operatorsDone is told how many operators are done
   * @throws MalformedFileException if the engine refuses an operator, or cannot be given what it
   *     reads
   * @throws CancellationException if the caller stops the run
   */
  Map<String, OnnxValue> run(RandomInputs inputs, IntConsumer operatorsDone)
      throws MalformedFileException, OrtException {
    for (GraphValue value : graph.values()) {
      if (value.source() == GraphValue.Source.INPUT) {
        enter(value, inputs);
      }
    }
    List<List<Integer>> ending = recordsByLastTask();
    for (GraphNode node : graph.nodes()) {
      operatorsDone.accept(node.task());
      stop.check(stoppedAt(node));
      if (isRun(node)) {
        run(node);
      }
      forget(node);
      if (node.task() < graph.nodes().size() - 1) { // outputs stay
        ending.get(node.task()).forEach(arena::end);
      }
    }
    operatorsDone.accept(graph.nodes().size());
    Map<String, OnnxValue> outputs = new LinkedHashMap<>();
    for (GraphValue value : graph.outputs()) {
      if (value.source() == GraphValue.Source.INITIALIZER) {
        copy(value);
      }
      outputs.put(
          value.name(),
          Optional.ofNullable(live.get(value.index()))
              .orElseThrow(() -> new AssertionError("nothing made output " + value.name()))
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

  private void copy(GraphValue initializer) throws OrtException {
    byte[] model = operators.modelOfCopy(initializer).toByteArray();
    try (SessionOptions options = EngineEnvironment.options(OptLevel.NO_OPT);
        OrtSession session = EngineEnvironment.get().createSession(model, options)) {
      put(initializer.index(), session.run(Map.of()).get(0));
    }
  }

  /** {@return the planned values that lie in memory of the engine, as it takes no other} */
  Set<GraphValue> unbound() {
    return unbound;
  }

  private void enter(GraphValue input, RandomInputs inputs) throws OrtException {
    OptionalInt record = records.recordOf(input);
    MemorySegment bytes = inputs.segments().get(input.name());
    if (record.isPresent() && bytes != null) {
      MemorySegment segment = arena.begin(record.getAsInt());
      segment.copyFrom(bytes);
      put(input.index(), BoundTensor.of(segment, planned.type(input)));
    } else {
      OnnxTensor tensor = inputs.tensors().get(input.name());
      if (tensor != null) {
        live.put(input.index(), new Live(tensor, false));
      }
      if (bytes != null) {
        outside.put(input.index(), bytes);
      }
    }
  }

  private List<List<Integer>> recordsByLastTask() {
    List<List<Integer>> ending = new ArrayList<>();
    graph.nodes().forEach(node -> ending.add(new ArrayList<>()));
    for (int i = 0; i < records.records().size(); i++) {
      ending.get((int) records.records().get(i).lastTask()).add(i);
    }
    return ending;
  }

  /** Constants of the file are parts of the operators that read them. */
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
                "reads '%s', which is no tensor; operators can be given tensors alone",
                MalformedFileException.excerpt(value.name())));
      }
      if (elementCode(value, tensor.get()).isEmpty()) {
        throw new MalformedFileException(
            source,
            node.toString(),
            String.format(
                Locale.ROOT,
                "reads '%s', of whose elements neither the file nor ONNX Runtime's library for Java knows the type; expected a file that says it",
                MalformedFileException.excerpt(value.name())));
      }
      inputs.put(value.name(), tensor.get());
    }
    Set<String> given = new HashSet<>();
    Map<String, OnnxValue> bound = new LinkedHashMap<>();
    try {
      for (int index : node.writes()) {
        GraphValue value = graph.values().get(index);
        Optional<MemorySegment> memory = memoryOf(value, node);
        if (memory.isPresent()) {
          OnnxTensor tensor = BoundTensor.of(memory.get(), planned.type(value));
          bound.put(value.name(), tensor);
          put(index, tensor);
        } else {
          given.add(value.name());
          records.recordOf(value).ifPresent(_ -> unbound.add(value));
        }
      }
      byte[] model = operators.modelOf(node, this::info).toByteArray();
      try (SessionOptions options = EngineEnvironment.options(OptLevel.NO_OPT);
          OrtSession session = EngineEnvironment.get().createSession(model, options)) {
        OrtSession.Result result = session.run(inputs, given, bound, stop.options());
        for (int index : node.writes()) {
          String name = graph.values().get(index).name();
          if (given.contains(name)) {
            put(index, result.get(name).orElseThrow());
          }
        }
      }
    } catch (OrtException e) {
      stop.check(stoppedAt(node));
      throw EngineRefusal.of(source, node.toString(), e);
    }
  }

  /** {@return where a result is to be, or empty if it is the engine's to say} */
  private Optional<MemorySegment> memoryOf(GraphValue value, GraphNode maker) {
    OptionalInt record = records.recordOf(value);
    Optional<MemorySegment> memory =
        (record.isPresent()
                ? Optional.of(arena.begin(record.getAsInt()))
                : viewed(maker).filter(at -> isLeftThere(value, at)))
            .filter(at -> BoundTensor.isPossible(planned.type(value), at.byteSize()));
    if (record.isEmpty()) {
      memory.ifPresent(at -> outside.put(value.index(), at));
    }
    return memory;
  }

  /** {@return whether a value would be planned, were it no view of what the caller has} */
  private boolean isLeftThere(GraphValue value, MemorySegment memory) {
    OptionalInt record = planned.recordOf(value);
    return record.isPresent()
        && planned.records().get(record.getAsInt()).bytes() == memory.byteSize();
  }

  /** {@return the caller's memory that an operator's result is a view of, if it is} */
  private Optional<MemorySegment> viewed(GraphNode node) {
    return node.isView() && node.proto().getInputCount() > 0
        ? graph.value(node.proto().getInput(0)).map(value -> outside.get(value.index()))
        : Optional.empty();
  }

  private Optional<OnnxTensorLike> tensor(GraphValue value) {
    return Optional.ofNullable(live.get(value.index()))
        .map(Live::value)
        .filter(OnnxTensorLike.class::isInstance)
        .map(OnnxTensorLike.class::cast);
  }

  private void put(int index, OnnxValue made) {
    live.put(index, new Live(made, true));
  }

  /** {@return the type of a tensor's elements, or empty if nothing says it} */
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

  /** {@return a value as an input of an operator's model: of the type that it has now} */
  private ValueInfoProto info(GraphValue value) {
    OnnxTensorLike tensor = tensor(value).orElseThrow();
    List<Long> dimensions = Arrays.stream(tensor.getInfo().getShape()).boxed().toList();
    int elementCode = elementCode(value, tensor).orElseThrow();
    return ValueType.Tensor.of(elementCode, dimensions).infoOf(value.name());
  }

  /** Closes what nothing reads after an operator. */
  private void forget(GraphNode node) {
    Set<Integer> touched = new HashSet<>(node.reads());
    touched.addAll(node.writes());
    for (int index : touched) {
      GraphValue value = graph.values().get(index);
      if (value.lastTask() <= node.task() && !value.isOutput()) {
        Optional.ofNullable(live.remove(index)).ifPresent(Live::forget);
      }
    }
  }

  @Override
  public void close() {
    live.values().forEach(Live::forget);
    arena.close();
  }
}
