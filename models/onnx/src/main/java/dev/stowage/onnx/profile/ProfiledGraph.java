package dev.stowage.onnx.profile;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operators of a graph by their names in profiles.
 *
 * <p>A profile has the name of an operator. If the operator has none, it has the type and the index
 * in the session's graph: the index among the operators of the file that are not constants, unless
 * an optimization made the operator. An operator in the layout for the processor has the name of
 * its first output, with the suffix {@value #BLOCKED_SUFFIX}.
 */
public final class ProfiledGraph {

  private static final String BLOCKED_SUFFIX = "_nchwc";

  private final Map<String, NodeProto> nodes = new HashMap<>();
  private final Map<String, NodeProto> producers = new HashMap<>();
  private final Map<String, ValueType.Tensor> weights = new HashMap<>();

  /**
   * An operator of the graph that ran.
   *
   * @param node the operator in the graph
   * @param operator the operator in the run
   * @param isBlocked true if the session ran it in another layout than that of the graph, in which
   *     only the first input is comparable
   */
  public record Found(NodeProto node, ProfiledRun.Operator operator, boolean isBlocked) {}

  private ProfiledGraph() {}

  /**
   * {@return the operators of a graph}
   *
   * @param original the graph of the file
   * @param graph the same graph, or one that optimizations made of it
   */
  public static ProfiledGraph of(GraphProto original, GraphProto graph) {
    ProfiledGraph profiled = new ProfiledGraph();
    Map<String, String> indexed = indexed(original);
    Set<String> ambiguous = new HashSet<>();
    for (NodeProto node : graph.getNodeList()) {
      if (node.getOutputCount() > 0) {
        profiled.producers.put(node.getOutput(0), node);
      }
      Optional<String> name =
          node.getName().isEmpty() ? identity(node).map(indexed::get) : Optional.of(node.getName());
      if (name.isPresent() && profiled.nodes.put(name.get(), node) != null) {
        ambiguous.add(name.get());
      }
    }
    ambiguous.forEach(profiled.nodes::remove);
    for (TensorProto tensor : graph.getInitializerList()) {
      profiled.weights.put(
          tensor.getName(), ValueType.Tensor.of(tensor.getDataType(), tensor.getDimsList()));
    }
    return profiled;
  }

  /** {@return the type and index of each operator, by its type and its first output} */
  private static Map<String, String> indexed(GraphProto original) {
    Map<String, String> indexed = new HashMap<>();
    int index = 0;
    for (NodeProto node : original.getNodeList()) {
      if (!node.getOpType().equals("Constant")) {
        String name = node.getOpType() + "_" + index;
        identity(node).ifPresent(identity -> indexed.put(identity, name));
        index++;
      }
    }
    return indexed;
  }

  private static Optional<String> identity(NodeProto node) {
    return node.getOutputList().stream()
        .filter(output -> !output.isEmpty())
        .findFirst()
        .map(output -> node.getOpType() + " " + output);
  }

  /** {@return the operator of the graph with the name and type of an operator in a run} */
  public Optional<Found> find(ProfiledRun.Operator operator) {
    NodeProto node = nodes.get(operator.name());
    if (node != null && node.getOpType().equals(operator.type())) {
      return Optional.of(new Found(node, operator, false));
    }
    if (operator.name().endsWith(BLOCKED_SUFFIX)) {
      int end = operator.name().length() - BLOCKED_SUFFIX.length();
      return Optional.ofNullable(producers.get(operator.name().substring(0, end)))
          .map(producer -> new Found(producer, operator, true));
    }
    return Optional.empty();
  }

  /**
   * {@return the types of the inputs and outputs of an operator, by the names of values; empty if
   * the run has other ones than the graph}
   */
  public Map<String, ValueType.Tensor> types(Found found) {
    Map<String, ValueType.Tensor> types = new LinkedHashMap<>(inputs(found));
    if (!found.isBlocked()) {
      types.putAll(outputs(found));
    }
    return types;
  }

  /** {@return the types of the outputs of an operator, by the names of values} */
  public Map<String, ValueType.Tensor> outputs(Found found) {
    List<String> names = present(found.node().getOutputList());
    List<ValueType.Tensor> outputs = found.operator().tensors().outputs();
    Map<String, ValueType.Tensor> types = new LinkedHashMap<>();
    if (names.size() == outputs.size()) {
      for (int i = 0; i < names.size(); i++) {
        types.put(names.get(i), outputs.get(i));
      }
    }
    return types;
  }

  private static List<String> present(List<String> names) {
    return names.stream().filter(name -> !name.isEmpty()).toList();
  }

  /** {@return the types of the inputs of an operator, by the names of values} */
  public Map<String, ValueType.Tensor> inputs(Found found) {
    List<String> names = present(found.node().getInputList());
    List<ValueType.Tensor> inputs = found.operator().tensors().inputs();
    if (found.isBlocked()) {
      return names.isEmpty() || inputs.isEmpty()
          ? Map.of()
          : Map.of(names.getFirst(), inputs.getFirst());
    }
    Map<String, ValueType.Tensor> all = aligned(names, inputs);
    return all.isEmpty()
        ? aligned(names.stream().filter(name -> !weights.containsKey(name)).toList(), inputs)
        : all;
  }

  /** {@return the types of values; a run lacks the weights that a kernel has packed} */
  private Map<String, ValueType.Tensor> aligned(List<String> names, List<ValueType.Tensor> inputs) {
    Map<String, ValueType.Tensor> types = new LinkedHashMap<>();
    List<ValueType.Tensor> rest = new ArrayList<>(inputs.reversed());
    for (String name : names) {
      ValueType.Tensor weight = weights.get(name);
      if (weight != null && (rest.isEmpty() || !weight.equals(rest.getLast()))) {
        continue;
      }
      if (rest.isEmpty()) {
        return Map.of();
      }
      types.put(name, rest.removeLast());
    }
    return rest.isEmpty() ? types : Map.of();
  }
}
