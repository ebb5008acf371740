package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.onnx.graph.GraphValue.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Models with one operator of a graph each. ONNX Runtime computes the same results in them as in
 * the whole model.
 *
 * <p>Initializers and constants of the file stay initializers and constants, so that ONNX Runtime
 * prepares them in the same way. All other values that the operator reads are inputs.
 */
public final class OperatorModel {

  private final ModelGraph graph;
  private final Map<String, TensorProto> initializers = new HashMap<>();
  private final Map<String, SparseTensorProto> sparseInitializers = new HashMap<>();
  private final Map<String, ValueInfoProto> defaults = new HashMap<>();
  private final Map<Integer, NodeProto> constants = new HashMap<>();

  private OperatorModel(ModelGraph graph) {
    this.graph = graph;
  }

  /**
   * {@return the models of the operators of a graph}
   *
   * @param graph the graph
   * @param initializers its initializers, with their data
   */
  public static OperatorModel of(ModelGraph graph, List<TensorProto> initializers) {
    OperatorModel operators = new OperatorModel(graph);
    GraphProto proto = graph.model().getGraph();
    initializers.forEach(tensor -> operators.initializers.put(tensor.getName(), tensor));
    for (ValueInfoProto input : proto.getInputList()) {
      if (operators.initializers.containsKey(input.getName())) {
        operators.defaults.put(input.getName(), input);
      }
    }
    for (SparseTensorProto tensor : proto.getSparseInitializerList()) {
      operators.sparseInitializers.put(tensor.getValues().getName(), tensor);
    }
    for (GraphNode node : graph.nodes()) {
      if (node.isConstant()) {
        node.writes().forEach(value -> operators.constants.put(value, node.proto()));
      }
    }
    return operators;
  }

  /** {@return the inputs of the model of an operator} */
  public List<GraphValue> inputsOf(GraphNode node) {
    return node.reads().stream().map(graph.values()::get).filter(this::isInput).toList();
  }

  private boolean isInput(GraphValue value) {
    return value.source() != Source.INITIALIZER && !constants.containsKey(value.index());
  }

  /**
   * {@return the model of an operator}
   *
   * @param node the operator
   * @param info returns the name and type of an input
   */
  public ModelProto modelOf(GraphNode node, Function<GraphValue, ValueInfoProto> info) {
    GraphProto.Builder one = GraphProto.newBuilder().setName("operator");
    for (int index : node.reads()) {
      GraphValue value = graph.values().get(index);
      if (constants.containsKey(index)) {
        one.addNode(constants.get(index));
      } else if (value.source() == Source.INITIALIZER) {
        addInitializer(value, one);
      } else {
        one.addInput(info.apply(value));
      }
    }
    one.addNode(node.proto());
    for (int index : node.writes()) {
      one.addOutput(ValueInfoProto.newBuilder().setName(graph.values().get(index).name()));
    }
    return graph.model().toBuilder().setGraph(one).clearTrainingInfo().build();
  }

  /**
   * {@return a model that returns a copy of an initializer}
   *
   * @param value the initializer
   */
  public ModelProto modelOfCopy(GraphValue value) {
    String copy = value.name() + "/copy";
    NodeProto identity =
        NodeProto.newBuilder().setOpType("Identity").addInput(value.name()).addOutput(copy).build();
    GraphProto.Builder one = GraphProto.newBuilder().setName("operator").addNode(identity);
    addInitializer(value, one);
    one.addOutput(ValueInfoProto.newBuilder().setName(copy));
    return graph.model().toBuilder().setGraph(one).clearTrainingInfo().build();
  }

  private void addInitializer(GraphValue value, GraphProto.Builder one) {
    if (initializers.containsKey(value.name())) {
      one.addInitializer(initializers.get(value.name()));
    }
    if (sparseInitializers.containsKey(value.name())) {
      one.addSparseInitializer(sparseInitializers.get(value.name()));
    }
    // ONNX Runtime does not treat an initializer that is an input as a constant.
    if (defaults.containsKey(value.name())) {
      one.addInput(defaults.get(value.name()));
    }
  }
}
