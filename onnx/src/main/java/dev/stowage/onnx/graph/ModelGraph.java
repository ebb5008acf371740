package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.core.MalformedInputException;
import dev.stowage.onnx.graph.GraphValue.Source;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A model's main graph: its operators in an order in which they can run, and its values with who
 * makes and who reads them.
 *
 * <p>Reading costs O(operators + values), and is independent of the weights' bytes.
 */
public final class ModelGraph {

  private final ModelProto model;
  private final List<GraphNode> nodes;
  private final List<GraphValue> values;
  private final Map<String, Integer> indices;
  private final List<String> notes;

  private ModelGraph(
      ModelProto model,
      List<GraphNode> nodes,
      List<GraphValue> values,
      Map<String, Integer> indices,
      List<String> notes) {
    this.model = model;
    this.nodes = List.copyOf(nodes);
    this.values = List.copyOf(values);
    this.indices = indices;
    this.notes = List.copyOf(notes);
  }

  /**
   * {@return the main graph of a model}
   *
   * @param source the file, in messages
   * @param model the model
   * @throws MalformedInputException if it has no graph, a name is made twice, or operators wait for
   *     each other
   */
  public static ModelGraph of(String source, ModelProto model) throws MalformedInputException {
    if (!model.hasGraph()) {
      throw new MalformedInputException(source, "has no graph, expected an ONNX model");
    }
    return new Builder(source, model).build();
  }

  /** {@return the model as it was read} */
  public ModelProto model() {
    return model;
  }

  /** {@return the operators in the order in which they run; task k is operator k} */
  public List<GraphNode> nodes() {
    return nodes;
  }

  /**
   * {@return the values: the graph's inputs as in the file, initializers that are none, then
   * results by task and place in its outputs}
   */
  public List<GraphValue> values() {
    return values;
  }

  /** {@return the value of a name, or empty if there is none} */
  public Optional<GraphValue> value(String name) {
    return Optional.ofNullable(indices.get(name)).map(values::get);
  }

  /** {@return the values that the caller of the model sees, in the order of the file} */
  public List<GraphValue> outputs() {
    return model.getGraph().getOutputList().stream()
        .map(output -> value(output.getName()).orElseThrow())
        .distinct()
        .toList();
  }

  /** {@return what a user should know of how the graph was read, a sentence each} */
  public List<String> notes() {
    return notes;
  }

  /** Puts a graph together: names first, then the order, then who reads what. */
  private static final class Builder {

    private static final int NONE = -1;

    private final String source;
    private final ModelProto model;
    private final GraphProto graph;
    private final List<NodeProto> protos;
    private final List<Set<String>> reads = new ArrayList<>();
    private final Map<String, Integer> makers = new HashMap<>();
    private final Set<String> initializers = new LinkedHashSet<>();
    private final Set<String> outputs = new HashSet<>();
    private final Map<String, ValueType> types = new HashMap<>();
    private final List<String> notes = new ArrayList<>();

    private final List<String> names = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final Map<String, Integer> indices = new HashMap<>();
    private final BitSet constants = new BitSet();

    Builder(String source, ModelProto model) {
      this.source = source;
      this.model = model;
      this.graph = model.getGraph();
      this.protos = graph.getNodeList();
    }

    ModelGraph build() throws MalformedInputException {
      readNames();
      readOperators();
      int[] order = ExecutionOrder.of(source, protos, reads, makers);
      if (!ExecutionOrder.isThatOfTheFile(order)) {
        notes.add(
            "its operators are not in an order in which they can run, and are planned in one");
      }
      List<GraphNode> nodes = new ArrayList<>();
      for (int task = 0; task < order.length; task++) {
        nodes.add(node(task, order[task]));
      }
      return new ModelGraph(model, nodes, values(nodes), indices, notes);
    }

    private void readNames() throws MalformedInputException {
      graph.getInitializerList().forEach(tensor -> addInitializer(tensor));
      for (SparseTensorProto tensor : graph.getSparseInitializerList()) {
        initializers.add(tensor.getValues().getName());
      }
      // A name may be told of several times; inputs and outputs are told of last.
      graph.getValueInfoList().forEach(this::addType);
      graph.getOutputList().forEach(this::addType);
      for (ValueInfoProto input : graph.getInputList()) {
        String name = input.getName();
        addType(input);
        if (name.isEmpty()) {
          throw new MalformedInputException(source, "inputs", "one has no name, expected one");
        }
        if (indices.containsKey(name)) {
          throw new MalformedInputException(
              source, "inputs", "'%s' is there twice, expected once".formatted(printable(name)));
        }
        // An input that an initializer gives a value is a constant, unless a caller overrides it.
        add(name, initializers.contains(name) ? Source.INITIALIZER : Source.INPUT);
      }
      for (String name : initializers) {
        if (!indices.containsKey(name)) {
          add(name, Source.INITIALIZER);
        }
      }
      indices.forEach((name, index) -> constants.set(index, initializers.contains(name)));
    }

    private void addInitializer(TensorProto tensor) {
      initializers.add(tensor.getName());
      types.put(
          tensor.getName(),
          new ValueType.Tensor(
              tensor.getDataType(),
              Optional.of(
                  tensor.getDimsList().stream()
                      .<DimensionSize>map(DimensionSize.Known::new)
                      .toList())));
    }

    private void addType(ValueInfoProto info) {
      if (info.hasType() && !initializers.contains(info.getName())) {
        types.put(info.getName(), ValueType.of(info.getType()));
      }
    }

    private int add(String name, Source from) {
      int index = names.size();
      names.add(name);
      sources.add(from);
      indices.put(name, index);
      return index;
    }

    private void readOperators() throws MalformedInputException {
      int bodyCount = 0;
      int bodyOperators = 0;
      for (int i = 0; i < protos.size(); i++) {
        NodeProto proto = protos.get(i);
        for (String name : proto.getOutputList()) {
          if (name.isEmpty()) { // an output that is not wanted
            continue;
          }
          if (isKnown(name) && !isConstantAgain(name, i)) {
            throw malformed(i, name);
          }
          makers.put(name, i);
        }
        OuterReads bodies = new OuterReads();
        bodies.addBodiesOf(proto);
        bodyCount += bodies.bodyCount();
        bodyOperators += bodies.operatorCount();
        Set<String> names = new LinkedHashSet<>(proto.getInputList());
        names.remove(""); // an input that is left out
        names.addAll(bodies.names());
        reads.add(names);
      }
      List<String> missing = new ArrayList<>();
      for (Set<String> names : reads) {
        for (String name : names) {
          if (!isKnown(name)) {
            missing.add(name);
            constants.set(add(name, Source.MISSING));
          }
        }
      }
      if (!missing.isEmpty()) {
        notes.add(
            "nothing makes %s, which %s taken for constant: %s"
                .formatted(
                    count(missing.size(), "value"),
                    missing.size() == 1 ? "is" : "are",
                    printable(String.join(", ", missing))));
      }
      for (ValueInfoProto output : graph.getOutputList()) {
        if (!isKnown(output.getName())) {
          throw new MalformedInputException(
              source,
              "outputs",
              "'%s' is made by nothing, expected the name of a value"
                  .formatted(printable(output.getName())));
        }
        outputs.add(output.getName());
      }
      if (bodyCount > 0) {
        notes.add(
            "%s within its operators, with %s, %s not planned, but what they leave is"
                .formatted(
                    count(bodyCount, "graph"),
                    count(bodyOperators, "operator"),
                    bodyCount == 1 ? "is" : "are"));
      }
    }

    /** Of constants with one name, engines take the last, and so do files that merge graphs. */
    private boolean isConstantAgain(String name, int place) {
      Integer maker = makers.get(name);
      return maker != null && isConstant(protos.get(maker)) && isConstant(protos.get(place));
    }

    private static boolean isConstant(NodeProto node) {
      return node.getOpType().equals("Constant");
    }

    private boolean isKnown(String name) {
      return indices.containsKey(name) || makers.containsKey(name);
    }

    private GraphNode node(int task, int place) {
      NodeProto proto = protos.get(place);
      List<Integer> read = reads.get(place).stream().map(indices::get).toList();
      List<Integer> written = new ArrayList<>();
      // What has no inputs at all is either a constant or made by chance.
      boolean isConstant =
          isConstant(proto) || (!read.isEmpty() && read.stream().allMatch(constants::get));
      for (String name : proto.getOutputList()) {
        if (!name.isEmpty() && Objects.equals(makers.get(name), place)) {
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
                sources.get(i),
                types.getOrDefault(names.get(i), new ValueType.Unknown()),
                constants.get(i),
                outputs.contains(names.get(i)),
                first[i],
                Math.max(first[i], last[i])));
      }
      return values;
    }

    private MalformedInputException malformed(int place, String name) {
      return new MalformedInputException(
          source,
          GraphNode.describe(place, protos.get(place)),
          "makes '%s', which is there already; expected each name to be made once"
              .formatted(printable(name)));
    }

    private static String printable(String name) {
      return MalformedInputException.excerpt(name);
    }

    private static String count(int count, String noun) {
      return count == 1 ? "1 " + noun : count + " " + noun + "s";
    }
  }
}
