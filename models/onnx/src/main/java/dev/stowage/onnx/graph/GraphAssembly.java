package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.onnx.graph.GraphValue.Source;
import dev.stowage.plan.MalformedFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The construction of a {@link ModelGraph}: names first, then the order, then the readers. */
public final class GraphAssembly {

  private static final int NONE = -1;

  private final String source;
  private final ModelProto model;
  private final GraphProto graph;
  private final List<NodeProto> protos;
  private final List<Set<String>> reads = new ArrayList<>();
  private final BitSet random = new BitSet();
  private final Map<String, Integer> producers = new HashMap<>();
  private final Set<String> initializers = new LinkedHashSet<>();
  private final Set<String> outputs = new HashSet<>();
  private final Map<String, ValueType> types = new HashMap<>();
  private final List<String> notes = new ArrayList<>();

  private final List<String> names = new ArrayList<>();
  private final List<Source> sources = new ArrayList<>();
  private final Map<String, Integer> indices = new HashMap<>();
  private final BitSet constants = new BitSet();

  private GraphAssembly(String source, ModelProto model) {
    this.source = source;
    this.model = model;
    this.graph = model.getGraph();
    this.protos = graph.getNodeList();
  }

  /**
   * {@return the main graph of a model}
   *
   * @param source the name of the file in messages
   * @param model the model
   * @throws MalformedFileException if the model has no graph, if a name has two producers, or if
   *     the graph has a cycle
   */
  public static ModelGraph assemble(String source, ModelProto model) throws MalformedFileException {
    if (!model.hasGraph()) {
      throw new MalformedFileException(source, "has no graph, expected an ONNX model");
    }
    return new GraphAssembly(source, model).build();
  }

  private ModelGraph build() throws MalformedFileException {
    readConstants();
    readTypes();
    addInputs();
    readOperators();
    addMissing();
    readOutputs();
    int[] order = ExecutionOrder.of(source, protos, reads, producers);
    if (!ExecutionOrder.isFileOrder(order)) {
      notes.add("the operators are not in an executable order; they are planned in one");
    }
    List<GraphNode> nodes = new ArrayList<>();
    for (int task = 0; task < order.length; task++) {
      nodes.add(node(task, order[task]));
    }
    List<Integer> places = Arrays.stream(order).boxed().toList();
    return new ModelGraph(model, nodes, places, values(nodes), indices, notes);
  }

  private void readConstants() {
    for (TensorProto tensor : graph.getInitializerList()) {
      addInitializer(tensor, tensor.getDimsList());
    }
    for (SparseTensorProto tensor : graph.getSparseInitializerList()) {
      addInitializer(tensor.getValues(), tensor.getDimsList());
    }
  }

  private void addInitializer(TensorProto tensor, List<Long> dimensions) {
    if (!tensor.getName().isEmpty()) { // no operator can read it
      initializers.add(tensor.getName());
      types.put(tensor.getName(), ValueType.Tensor.of(tensor.getDataType(), dimensions));
    }
  }

  /**
   * Reads the types of values. A name may have several types; the types of inputs and outputs win.
   */
  private void readTypes() {
    graph.getValueInfoList().forEach(this::addType);
    graph.getOutputList().forEach(this::addType);
    graph.getInputList().forEach(this::addType);
  }

  private void addType(ValueInfoProto info) {
    if (info.hasType() && !initializers.contains(info.getName())) {
      types.merge(info.getName(), ValueType.of(info.getType()), ValueType::merge);
    }
  }

  private void addInputs() throws MalformedFileException {
    for (ValueInfoProto input : graph.getInputList()) {
      String name = input.getName();
      if (name.isEmpty()) {
        throw new MalformedFileException(
            source, "inputs", "one input has no name, expected a name");
      }
      if (indices.containsKey(name)) {
        throw new MalformedFileException(
            source,
            "inputs",
            String.format(Locale.ROOT, "'%s' occurs twice, expected once", printable(name)));
      }
      // An input with an initializer is a constant, unless the caller overrides it.
      add(name, initializers.contains(name) ? Source.INITIALIZER : Source.INPUT);
    }
    for (String name : initializers) {
      if (!indices.containsKey(name)) {
        add(name, Source.INITIALIZER);
      }
    }
    indices.forEach((name, index) -> constants.set(index, initializers.contains(name)));
  }

  private int add(String name, Source from) {
    int index = names.size();
    names.add(name);
    sources.add(from);
    indices.put(name, index);
    return index;
  }

  private void readOperators() throws MalformedFileException {
    int bodyCount = 0;
    int bodyOperators = 0;
    for (int i = 0; i < protos.size(); i++) {
      NodeProto proto = protos.get(i);
      readOutputs(i, proto);
      OuterReads bodies = new OuterReads();
      bodies.addBodiesOf(proto);
      bodyCount += bodies.bodyCount();
      bodyOperators += bodies.operatorCount();
      random.set(i, GraphNode.isRandom(proto) || bodies.hasRandom());
      Set<String> read = new LinkedHashSet<>(proto.getInputList());
      read.remove(""); // an omitted input
      read.addAll(bodies.names());
      reads.add(read);
    }
    if (bodyCount > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s (%s) within operators %s not planned, only the results of these operators",
              count(bodyCount, "graph"),
              count(bodyOperators, "operator"),
              bodyCount == 1 ? "is" : "are"));
    }
    int callCount = callCount();
    if (callCount > 0) {
      notes.add(
          String.format(
              Locale.ROOT,
              "values within the model's functions are not planned, only the results of %s",
              count(callCount, "call")));
    }
  }

  private void readOutputs(int place, NodeProto proto) throws MalformedFileException {
    for (String name : proto.getOutputList()) {
      if (name.isEmpty()) { // an omitted output
        continue;
      }
      if (isKnown(name) && !isRepeatedConstant(name, place)) {
        throw new MalformedFileException(
            source,
            GraphNode.describe(place, proto),
            String.format(
                Locale.ROOT,
                "computes '%s', which already has a producer; expected one producer for each name",
                printable(name)));
      }
      producers.put(name, place);
    }
  }

  /**
   * {@return true for a Constant with the name of an earlier one, as in merged graphs; the last one
   * counts}
   */
  private boolean isRepeatedConstant(String name, int place) {
    Integer producer = producers.get(name);
    return producer != null
        && producer != place
        && GraphNode.isConstant(protos.get(producer))
        && GraphNode.isConstant(protos.get(place));
  }

  private int callCount() {
    Set<List<String>> functions = new HashSet<>();
    for (FunctionProto function : model.getFunctionsList()) {
      functions.add(List.of(function.getDomain(), function.getName()));
    }
    int count = 0;
    for (NodeProto proto : protos) {
      count += functions.contains(List.of(proto.getDomain(), proto.getOpType())) ? 1 : 0;
    }
    return count;
  }

  private boolean isKnown(String name) {
    return indices.containsKey(name) || producers.containsKey(name);
  }

  private void addMissing() {
    List<String> missing = new ArrayList<>();
    for (Set<String> read : reads) {
      for (String name : read) {
        if (!isKnown(name)) {
          missing.add(name);
          constants.set(add(name, Source.MISSING));
        }
      }
    }
    if (!missing.isEmpty()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "%s without a producer %s treated as constant: %s",
              count(missing.size(), "value"),
              missing.size() == 1 ? "is" : "are",
              printable(String.join(", ", missing))));
    }
  }

  private void readOutputs() throws MalformedFileException {
    for (ValueInfoProto output : graph.getOutputList()) {
      if (!isKnown(output.getName())) {
        throw new MalformedFileException(
            source,
            "outputs",
            String.format(
                Locale.ROOT,
                "'%s' has no producer, expected the name of a value",
                printable(output.getName())));
      }
      outputs.add(output.getName());
    }
  }

  private GraphNode node(int task, int place) {
    NodeProto proto = protos.get(place);
    List<Integer> read = reads.get(place).stream().map(indices::get).toList();
    List<Integer> written = new ArrayList<>();
    // The result of an operator without inputs may differ, for example if it reads a file.
    boolean isConstant =
        GraphNode.isConstant(proto)
            || (!read.isEmpty() && !random.get(place) && read.stream().allMatch(constants::get));
    for (String name : proto.getOutputList()) {
      if (!name.isEmpty() && Objects.equals(producers.get(name), place)) {
        int index = add(name, Source.RESULT);
        constants.set(index, isConstant);
        written.add(index);
      }
    }
    return new GraphNode(task, proto, read, written);
  }

  private List<GraphValue> values(List<GraphNode> nodes) {
    int[] first = new int[names.size()];
    int[] last = new int[names.size()];
    Arrays.fill(last, NONE);
    for (GraphNode node : nodes) {
      node.writes().forEach(value -> first[value] = node.task());
      node.reads().forEach(value -> last[value] = node.task());
    }
    List<GraphValue> values = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      values.add(
          new GraphValue(
              i,
              names.get(i),
              types.getOrDefault(names.get(i), new ValueType.Unknown()),
              new GraphValue.Role(sources.get(i), constants.get(i), outputs.contains(names.get(i))),
              new GraphValue.Lifetime(first[i], Math.max(first[i], last[i]))));
    }
    return values;
  }

  private static String printable(String name) {
    return MalformedFileException.excerpt(name);
  }

  private static String count(int count, String noun) {
    return count == 1 ? "1 " + noun : count + " " + noun + "s";
  }
}
