package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.ShapeQuestion;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A graph whose operators are replaced, as the optimizations of ONNX Runtime see it.
 *
 * <p>New operators follow the old ones in the order of their creation. Edges connect old operators
 * only, and disappear when the producer of a value is replaced.
 */
final class LayoutGraph {

  private final GraphProto source;
  private final CreationOrder created;
  private final Supplier<String> names;
  private final List<NodeProto.Builder> nodes = new ArrayList<>();
  private final BitSet removed = new BitSet();
  private final Map<String, Integer> producers = new HashMap<>();
  private final Map<String, List<Integer>> readers = new HashMap<>();
  private final Set<String> detached = new HashSet<>();
  private final Set<String> outputs = new HashSet<>();
  private final Map<String, TensorProto> constants = new HashMap<>();
  private final Map<String, TensorProto> added = new LinkedHashMap<>();
  private final Map<String, ValueType> types = new HashMap<>();

  /**
   * Creates a graph.
   *
   * @param source the graph, with its operators in the order of execution
   * @param hasOverrides true if a caller may override an initializer that is also an input
   * @param created the order in which ONNX Runtime made the operators
   * @param names supplies names that no value of the model has
   */
  LayoutGraph(
      GraphProto source, boolean hasOverrides, CreationOrder created, Supplier<String> names) {
    this.source = source;
    this.created = created;
    this.names = names;
    source.getInitializerList().forEach(tensor -> constants.put(tensor.getName(), tensor));
    source.getValueInfoList().forEach(this::addType);
    source.getOutputList().forEach(this::addType);
    source.getInputList().forEach(this::addType);
    for (ValueInfoProto input : source.getInputList()) {
      if (hasOverrides) {
        constants.remove(input.getName());
      }
    }
    source.getOutputList().forEach(output -> outputs.add(output.getName()));
    for (NodeProto node : source.getNodeList()) {
      int index = nodes.size();
      nodes.add(node.toBuilder());
      node.getOutputList().forEach(name -> producers.put(name, index));
      EngineOrder.reads(node)
          .forEach(name -> readers.computeIfAbsent(name, _ -> new ArrayList<>()).add(index));
    }
  }

  private void addType(ValueInfoProto info) {
    types.put(info.getName(), ValueType.of(info.getType()));
  }

  /** {@return the number of operators, with those that were removed} */
  int count() {
    return nodes.size();
  }

  NodeProto.Builder node(int index) {
    return nodes.get(index);
  }

  boolean isRemoved(int index) {
    return removed.get(index);
  }

  /** Adds an operator after all others. {@return the operator} */
  NodeProto.Builder add(NodeProto.Builder node) {
    nodes.add(node);
    return node;
  }

  void remove(int index) {
    removed.set(index);
  }

  /** {@return a name that no value has} */
  String newName() {
    return names.get();
  }

  /**
   * {@return the name of a new weight of floating-point numbers: zeros, or without data if large}
   */
  String addWeight(List<Long> shape) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setDataType(ElementType.FLOAT.code()).addAllDims(shape);
    long bytes = shape.stream().reduce((long) Float.BYTES, Math::multiplyExact);
    if (bytes <= ShapeQuestion.LARGE_BYTES) {
      tensor.setRawData(ByteString.copyFrom(new byte[(int) bytes]));
    }
    return addConstant(tensor);
  }

  /** {@return the name of a new constant} */
  String addConstant(TensorProto.Builder tensor) {
    String name = newName();
    added.put(name, tensor.setName(name).build());
    return name;
  }

  /** {@return a constant of the graph, if a value is one} */
  Optional<TensorProto> constant(String name) {
    return Optional.ofNullable(constants.get(name));
  }

  /** {@return a constant of floating-point numbers with a number of dimensions} */
  Optional<TensorProto> floats(String name, int rank) {
    return constant(name)
        .filter(tensor -> tensor.getDataType() == ElementType.FLOAT.code())
        .filter(tensor -> tensor.getDimsCount() == rank);
  }

  /** {@return true if a value is known to be a tensor of floating-point numbers} */
  boolean isFloat(String name) {
    return types.get(name) instanceof ValueType.Tensor tensor
        && tensor.elementCode() == ElementType.FLOAT.code();
  }

  /** {@return the dimensions of a value, if their number is known} */
  Optional<List<DimensionSize>> shape(String name) {
    return types.get(name) instanceof ValueType.Tensor tensor ? tensor.shape() : Optional.empty();
  }

  /** {@return a dimension of a value with four dimensions, if its size is known} */
  OptionalLong size(String name, int axis) {
    return shape(name)
        .filter(shape -> shape.size() == BlockedShape.DIMENSIONS)
        .filter(shape -> shape.get(axis) instanceof DimensionSize.Known)
        .map(shape -> OptionalLong.of(((DimensionSize.Known) shape.get(axis)).size()))
        .orElse(OptionalLong.empty());
  }

  /** {@return the old operators that read a value, with one entry for each read} */
  List<Integer> readers(String name) {
    return readers.getOrDefault(name, List.of());
  }

  /** {@return the old operator that computes a value, if there is one} */
  Optional<Integer> producer(String name) {
    return Optional.ofNullable(producers.get(name));
  }

  boolean isOutput(String name) {
    return outputs.contains(name);
  }

  /** {@return true if no old operator that stays computes an input of an old operator} */
  boolean hasNoEdges(int index) {
    return EngineOrder.reads(source.getNode(index)).stream()
        .noneMatch(name -> producers.containsKey(name) && !detached.contains(name));
  }

  /**
   * Removes the edges from an old operator.
   *
   * @return the number of its uses, one of which is an output of the graph
   */
  int detach(int index) {
    int uses = 0;
    boolean isOutput = false;
    for (String name : source.getNode(index).getOutputList()) {
      isOutput |= outputs.contains(name);
      if (detached.add(name)) {
        uses += readers(name).size();
      }
    }
    return isOutput ? uses + 1 : uses;
  }

  /** {@return the graph with its operators in the order of execution and the weights they read} */
  GraphProto build() {
    if (nodes.size() == source.getNodeCount()) {
      return source; // nothing was rewritten
    }
    List<NodeProto> left = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      if (!removed.get(i)) {
        left.add(nodes.get(i).build());
      }
      if (i == source.getNodeCount() - 1) {
        left.sort(created);
      }
    }
    Set<String> read = new LinkedHashSet<>(outputs);
    left.forEach(node -> read.addAll(EngineOrder.reads(node)));
    GraphProto.Builder graph = source.toBuilder().clearNode().clearInitializer();
    source.getInputList().forEach(input -> read.add(input.getName()));
    source.getInitializerList().stream()
        .filter(tensor -> read.contains(tensor.getName()))
        .forEach(graph::addInitializer);
    added.values().stream()
        .filter(tensor -> read.contains(tensor.getName()))
        .forEach(graph::addInitializer);
    return graph.addAllNode(EngineOrder.of(left)).build();
  }
}
