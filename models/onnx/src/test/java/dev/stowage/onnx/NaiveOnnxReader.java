package dev.stowage.onnx;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A naive reader, which scans the whole graph for every value and shares no code with the reader
 * under test. It uses only the shapes in the file.
 */
final class NaiveOnnxReader {

  private static final Map<Integer, Integer> BITS = new TreeMap<>();

  static {
    for (int code : new int[] {2, 3, 9, 17, 18, 19, 20, 24}) {
      BITS.put(code, 8);
    }
    for (int code : new int[] {4, 5, 10, 16}) {
      BITS.put(code, 16);
    }
    for (int code : new int[] {1, 6, 12}) {
      BITS.put(code, 32);
    }
    for (int code : new int[] {7, 11, 13, 14}) {
      BITS.put(code, 64);
    }
    BITS.put(15, 128);
    for (int code : new int[] {21, 22, 23}) {
      BITS.put(code, 4);
    }
    for (int code : new int[] {25, 26}) {
      BITS.put(code, 2);
    }
  }

  private final GraphProto graph;
  private final boolean hasInputsAndOutputs;
  private final List<NodeProto> nodes;

  /** The values that each of {@link #nodes} reads. */
  private final List<Set<String>> reads;

  /** The answers of {@link #isConstant}. */
  private final Map<String, Boolean> constants = new HashMap<>();

  private NaiveOnnxReader(ModelProto model, boolean hasInputsAndOutputs) {
    this.graph = model.getGraph();
    this.hasInputsAndOutputs = hasInputsAndOutputs;
    this.nodes = sorted(graph);
    this.reads = nodes.stream().map(NaiveOnnxReader::readBy).toList();
  }

  /**
   * {@return a line for each record, as {@link ProblemText} has them, or empty if the file lacks a
   * size}
   */
  static Optional<List<String>> read(ModelProto model, boolean hasInputsAndOutputs) {
    return new NaiveOnnxReader(model, hasInputsAndOutputs).records();
  }

  /** {@return the intermediate values that are views of inputs, or views of such views} */
  static Set<String> viewsOfInputs(ModelProto model) {
    NaiveOnnxReader reader = new NaiveOnnxReader(model, false);
    Set<String> views = new LinkedHashSet<>();
    for (NodeProto node : reader.nodes) {
      boolean isView =
          List.of("Reshape", "Squeeze", "Unsqueeze", "Flatten", "Identity")
                  .contains(node.getOpType())
              && node.getInputCount() > 0
              && node.getOutputCount() == 1;
      if (isView) {
        String input = node.getInput(0);
        String view = node.getOutput(0);
        boolean isInput =
            !reader.isConstant(input)
                && reader.graph.getInputList().stream()
                    .anyMatch(info -> info.getName().equals(input));
        if ((isInput || views.contains(input))
            && !reader.isOutput(view)
            && reader.bytes(view).isPresent()
            && reader.bytes(view).equals(reader.bytes(input))) {
          views.add(view);
        }
      }
    }
    return views;
  }

  /** {@return the tasks that read one of the values and compute none of them} */
  static List<Integer> readers(ModelProto model, Set<String> names) {
    List<NodeProto> nodes = sorted(model.getGraph());
    List<Integer> readers = new ArrayList<>();
    for (int task = 0; task < nodes.size(); task++) {
      NodeProto node = nodes.get(task);
      boolean isRead = readBy(node).stream().anyMatch(names::contains);
      if (isRead && node.getOutputList().stream().noneMatch(names::contains)) {
        readers.add(task);
      }
    }
    return readers;
  }

  /** {@return the task that computes a value; empty for an input} */
  static OptionalInt producer(ModelProto model, String name) {
    List<NodeProto> nodes = sorted(model.getGraph());
    return IntStream.range(0, nodes.size())
        .filter(task -> nodes.get(task).getOutputList().contains(name))
        .findFirst();
  }

  private Optional<List<String>> records() {
    List<String> records = new ArrayList<>();
    if (hasInputsAndOutputs) {
      for (ValueInfoProto input : graph.getInputList()) {
        if (!isConstant(input.getName()) && !add(input.getName(), 0, records)) {
          return Optional.empty();
        }
      }
    }
    for (int task = 0; task < nodes.size(); task++) {
      for (String name : nodes.get(task).getOutputList()) {
        boolean isPlanned =
            !name.isEmpty() && !isConstant(name) && (hasInputsAndOutputs || !isOutput(name));
        if (isPlanned && !add(name, task, records)) {
          return Optional.empty();
        }
      }
    }
    return Optional.of(records);
  }

  private boolean add(String name, int firstTask, List<String> records) {
    Optional<BigInteger> bytes = bytes(name);
    if (bytes.isEmpty()) {
      return false;
    }
    if (bytes.get().signum() > 0) {
      records.add(
          "%s: %s bytes, %s..%s".formatted(name, bytes.get(), firstTask, last(name, firstTask)));
    }
    return true;
  }

  private int last(String name, int firstTask) {
    if (isOutput(name)) {
      return Math.max(0, nodes.size() - 1);
    }
    int last = firstTask;
    for (int task = 0; task < nodes.size(); task++) {
      if (reads.get(task).contains(name)) {
        last = task;
      }
    }
    return last;
  }

  private boolean isOutput(String name) {
    return graph.getOutputList().stream().anyMatch(output -> output.getName().equals(name));
  }

  private boolean isConstant(String name) {
    Boolean known = constants.get(name);
    if (known != null) {
      return known;
    }
    boolean isConstant = findConstant(name);
    constants.put(name, isConstant);
    return isConstant;
  }

  private boolean findConstant(String name) {
    if (graph.getInitializerList().stream().anyMatch(tensor -> tensor.getName().equals(name))
        || graph.getSparseInitializerList().stream()
            .anyMatch(tensor -> tensor.getValues().getName().equals(name))) {
      return true;
    }
    for (NodeProto node : graph.getNodeList()) {
      if (node.getOutputList().contains(name)) {
        Set<String> read = readBy(node);
        return node.getOpType().equals("Constant")
            || (!read.isEmpty()
                && !node.getOpType().startsWith("Random")
                && read.stream().allMatch(this::isConstant));
      }
    }
    return graph.getInputList().stream().noneMatch(input -> input.getName().equals(name));
  }

  /** {@return the outer values that a node and its bodies read} */
  private static Set<String> readBy(NodeProto node) {
    Set<String> read = new LinkedHashSet<>(node.getInputList());
    for (AttributeProto attribute : node.getAttributeList()) {
      List<GraphProto> bodies = new ArrayList<>(attribute.getGraphsList());
      if (attribute.hasG()) {
        bodies.add(attribute.getG());
      }
      for (GraphProto body : bodies) {
        Set<String> inner = new LinkedHashSet<>();
        body.getNodeList().forEach(each -> inner.addAll(readBy(each)));
        body.getOutputList().forEach(output -> inner.add(output.getName()));
        body.getInputList().forEach(input -> inner.remove(input.getName()));
        body.getInitializerList().forEach(tensor -> inner.remove(tensor.getName()));
        body.getSparseInitializerList().forEach(each -> inner.remove(each.getValues().getName()));
        body.getNodeList().forEach(each -> each.getOutputList().forEach(inner::remove));
        read.addAll(inner);
      }
    }
    read.remove("");
    return read;
  }

  /** {@return the nodes in the order of execution: always the first in the file that can run} */
  private static List<NodeProto> sorted(GraphProto graph) {
    List<NodeProto> left = new ArrayList<>(graph.getNodeList());
    List<NodeProto> sorted = new ArrayList<>();
    Map<String, Integer> notYet = new HashMap<>();
    left.forEach(node -> node.getOutputList().forEach(name -> notYet.merge(name, 1, Integer::sum)));
    while (!left.isEmpty()) {
      NodeProto next =
          left.stream()
              .filter(
                  node -> readBy(node).stream().noneMatch(name -> notYet.getOrDefault(name, 0) > 0))
              .findFirst()
              .orElseThrow();
      left.remove(next);
      next.getOutputList().forEach(name -> notYet.merge(name, -1, Integer::sum));
      sorted.add(next);
    }
    return sorted;
  }

  private Optional<BigInteger> bytes(String name) {
    List<ValueInfoProto> infos = new ArrayList<>(graph.getValueInfoList());
    infos.addAll(graph.getOutputList());
    infos.addAll(graph.getInputList());
    for (ValueInfoProto info : infos) {
      TypeProto.Tensor type = info.getType().getTensorType();
      if (!info.getName().equals(name)
          || !type.hasShape()
          || !BITS.containsKey(type.getElemType())) {
        continue;
      }
      BigInteger bits = BigInteger.valueOf(BITS.get(type.getElemType()));
      boolean isKnown = true;
      for (Dimension dimension : type.getShape().getDimList()) {
        isKnown &= dimension.hasDimValue() && dimension.getDimValue() >= 0;
        bits = bits.multiply(BigInteger.valueOf(dimension.getDimValue()));
      }
      if (isKnown) {
        return Optional.of(bits.add(BigInteger.valueOf(7)).shiftRight(3));
      }
    }
    return Optional.empty();
  }
}
