package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.GraphValue;
import dev.stowage.onnx.graph.ModelGraph;
import dev.stowage.onnx.graph.ValueBytes;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A graph with the sizes of its values for one set of dimensions. */
final class SizedGraph {

  /** The number of names in a message. */
  private static final int NAMED_COUNT = 10;

  /** The address space of a process on x86-64. The sum of all tensors cannot overflow. */
  private static final long MAX_TENSOR_BYTES = 1L << 47;

  private final ModelGraph graph;
  private final Map<String, ValueType> types;
  private final EngineSettings settings;
  private final Map<String, TensorProto> weights = new HashMap<>();

  /**
   * Creates a graph with sizes.
   *
   * @param graph the graph with the dimensions
   * @param types the inferred types, by the names of values
   * @param settings the options of the session
   */
  SizedGraph(ModelGraph graph, Map<String, ValueType> types, EngineSettings settings) {
    this.graph = graph;
    this.types = types;
    this.settings = settings;
    graph
        .model()
        .getGraph()
        .getInitializerList()
        .forEach(tensor -> weights.put(tensor.getName(), tensor));
  }

  /** {@return the type of a value} */
  ValueType type(String name) {
    return graph.value(name).map(this::type).orElse(new ValueType.Unknown());
  }

  private ValueType type(GraphValue value) {
    return ValueType.merge(value.type(), types.getOrDefault(value.name(), new ValueType.Unknown()));
  }

  /**
   * {@return the bytes of a value; 0 if they are unknown}
   *
   * @throws ArithmeticException if a process cannot address the bytes
   */
  long bytes(GraphValue value) {
    return bytes(value.name());
  }

  /** {@return the bytes of a value; 0 if they are unknown} */
  long bytes(String name) {
    return graph.value(name).map(this::addressable).orElse(0L);
  }

  private long addressable(GraphValue value) {
    ValueType type = type(value);
    return switch (ValueBytes.of(type)) {
      case ValueBytes.Known(long size) when size <= MAX_TENSOR_BYTES -> size;
      case ValueBytes.Known _, ValueBytes.TooLarge _ ->
          throw new ArithmeticException(
              String.format(
                  Locale.ROOT,
                  "tensor '%s' has more than 2^47 bytes (128 TiB), expected smaller dimensions: shape %s",
                  value.name(),
                  type));
      case ValueBytes.Missing _ -> 0;
    };
  }

  /** {@return the dimensions of a value; empty if they are unknown, and for a scalar} */
  List<Long> dimensions(String name) {
    return graph
        .value(name)
        .map(this::type)
        .filter(type -> type instanceof ValueType.Tensor tensor && tensor.isComplete())
        .map(type -> Arrays.stream(((ValueType.Tensor) type).dimensions()).boxed().toList())
        .orElse(List.of());
  }

  /** {@return the processor that runs the graph} */
  CpuClass cpu() {
    return settings.cpu();
  }

  /** {@return the version of the engine} */
  EngineVersion engine() {
    return settings.version();
  }

  /** {@return the initializers by name} */
  Map<String, TensorProto> weights() {
    return weights;
  }

  /** {@return the version of the operators in the domain of an operator; 0 if it is unknown} */
  long version(GraphNode node) {
    return graph.model().getOpsetImportList().stream()
        .filter(imported ->
            node.isStandard()
                ? imported.getDomain().isEmpty() || imported.getDomain().equals("ai.onnx")
                : imported.getDomain().equals(node.proto().getDomain()))
        .mapToLong(OperatorSetIdProto::getVersion)
        .findFirst()
        .orElse(0);
  }

  /** {@return the bytes of all values of a source} */
  long bytes(GraphValue.Source source) {
    return graph.values().stream()
        .filter(value -> value.source() == source)
        .mapToLong(this::bytes)
        .sum();
  }

  /** {@return the bytes of the outputs that operators compute} */
  long outputBytes() {
    return graph.outputs().stream()
        .filter(value -> value.source() == GraphValue.Source.RESULT)
        .mapToLong(this::bytes)
        .sum();
  }

  /** {@return the workspace of an operator if it was measured with the same types} */
  Optional<List<Long>> measuredWorkspace(GraphNode node, WorkspaceCalibration calibration) {
    return calibration.measured(operator(node), types(node));
  }

  /** {@return the workspace of an operator by its share in operators with other types} */
  List<Long> scaledWorkspace(GraphNode node, WorkspaceCalibration calibration) {
    return calibration.scaled(operator(node), tensorBytes(node));
  }

  /** {@return true if the workspace of an operator of this type was measured} */
  boolean isMeasured(GraphNode node, WorkspaceCalibration calibration) {
    return calibration.isMeasured(operator(node));
  }

  /** {@return a measured workspace of an operator} */
  OperatorWorkspace measured(GraphNode node, List<Long> bufferBytes) {
    return new OperatorWorkspace(operator(node), types(node), tensorBytes(node), bufferBytes);
  }

  private String operator(GraphNode node) {
    String attributes =
        node.proto().getAttributeList().stream()
            .filter(attribute -> !attribute.hasG() && !attribute.hasT())
            .map(SizedGraph::text)
            .sorted()
            .collect(Collectors.joining(", "));
    return String.format(
        Locale.ROOT,
        "%s%s(%s) threads=%d",
        node.isStandard() ? "" : node.proto().getDomain() + ".",
        node.proto().getOpType(),
        attributes,
        settings.threads());
  }

  private static String text(AttributeProto attribute) {
    String value =
        switch (attribute.getType()) {
          case INT -> Long.toString(attribute.getI());
          case FLOAT -> Float.toString(attribute.getF());
          case STRING -> attribute.getS().toStringUtf8();
          case INTS -> attribute.getIntsList().toString();
          case FLOATS -> attribute.getFloatsList().toString();
          case STRINGS -> Integer.toString(attribute.getStringsCount());
          default -> "";
        };
    return attribute.getName() + "=" + value;
  }

  private Stream<String> operands(GraphNode node) {
    return Stream.concat(
        node.proto().getInputList().stream(), node.proto().getOutputList().stream());
  }

  private String types(GraphNode node) {
    return operands(node)
        .map(name -> graph.value(name).map(this::text).orElse("none"))
        .collect(Collectors.joining(" "));
  }

  private String text(GraphValue value) {
    return type(value) instanceof ValueType.Tensor tensor
        ? ElementType.ofCode(tensor.elementCode()).map(ElementType::name).orElse("UNKNOWN") + tensor
        : "other";
  }

  private long tensorBytes(GraphNode node) {
    return operands(node).mapToLong(this::bytes).sum();
  }

  /** {@return the names of the values whose size is unknown} */
  List<String> unknown() {
    return graph.values().stream()
        .filter(value -> value.source() != GraphValue.Source.INITIALIZER)
        .filter(value -> !(ValueBytes.of(type(value)) instanceof ValueBytes.Known))
        .map(GraphValue::name)
        .toList();
  }

  /**
   * {@return sentences on the parts of a run that have no known size}
   *
   * @param counted the tasks of the operators whose bodies are counted
   * @param inBodies the names of the values in these bodies whose size is unknown
   */
  List<String> notes(Set<Integer> counted, Set<String> inBodies) {
    List<String> notes = new ArrayList<>();
    List<String> unknown = unknown();
    if (!unknown.isEmpty()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "the size of %d %s is unknown and not counted: %s",
              unknown.size(),
              unknown.size() == 1 ? "value" : "values",
              listed(unknown)));
    }
    List<String> withBodies =
        graph.nodes().stream()
            .filter(node -> node.proto().getAttributeList().stream().anyMatch(SizedGraph::hasBody))
            .filter(node -> !counted.contains(node.task()))
            .map(GraphNode::toString)
            .toList();
    if (!withBodies.isEmpty()) {
      notes.add("the tensors in bodies are not counted: " + listed(withBodies));
    }
    if (!inBodies.isEmpty()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "the size of %d %s in bodies is unknown and not counted: %s",
              inBodies.size(),
              inBodies.size() == 1 ? "value" : "values",
              listed(inBodies)));
    }
    return notes;
  }

  private static boolean hasBody(AttributeProto attribute) {
    return attribute.hasG() || attribute.getGraphsCount() > 0;
  }

  private static String listed(Collection<String> names) {
    String listed = names.stream().limit(NAMED_COUNT).collect(Collectors.joining(", "));
    return names.size() > NAMED_COUNT ? listed + ", ..." : listed;
  }
}
