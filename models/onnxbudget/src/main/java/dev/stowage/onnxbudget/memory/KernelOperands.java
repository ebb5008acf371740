package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.NodeAttributes;
import dev.stowage.onnx.graph.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The shapes, types and attributes from which the workspace of a kernel follows.
 *
 * @param node the operator
 * @param graph the graph with its sizes
 */
record KernelOperands(GraphNode node, SizedGraph graph) {

  /**
   * {@return the type of the operator after its domain, such as {@code com.microsoft:FusedConv}}
   */
  String operator() {
    return (node.isStandard() ? "" : node.proto().getDomain()) + ":" + node.proto().getOpType();
  }

  /** {@return the number of inputs, with those that are missing} */
  int inputCount() {
    return node.proto().getInputCount();
  }

  boolean hasInput(int input) {
    return input < inputCount() && !node.proto().getInput(input).isEmpty();
  }

  /** {@return the dimensions of an input; empty if they are unknown, and for a scalar} */
  List<Long> shape(int input) {
    return hasInput(input) ? graph.dimensions(node.proto().getInput(input)) : List.of();
  }

  /** {@return the dimensions of the first result; empty if they are unknown, and for a scalar} */
  List<Long> resultShape() {
    return graph.dimensions(node.proto().getOutput(0));
  }

  /** {@return the bytes of an input; 0 if they are unknown} */
  long bytes(int input) {
    return hasInput(input) ? graph.bytes(node.proto().getInput(input)) : 0;
  }

  /** {@return the elements of an input; 0 if they are unknown} */
  long elements(int input) {
    return bytes(input) == 0 ? 0 : product(shape(input));
  }

  /** {@return the elements of the first result; 0 if they are unknown} */
  long resultElements() {
    return graph.bytes(node.proto().getOutput(0)) == 0 ? 0 : product(resultShape());
  }

  boolean isType(int input, ElementType type) {
    return hasInput(input)
        && graph.type(node.proto().getInput(input)) instanceof ValueType.Tensor tensor
        && tensor.elementCode() == type.code();
  }

  /** {@return true if the file contains the input} */
  boolean isConstant(int input) {
    return hasInput(input) && weights().containsKey(node.proto().getInput(input));
  }

  /** {@return the processor that runs the kernel} */
  CpuClass cpu() {
    return graph.cpu();
  }

  Map<String, TensorProto> weights() {
    return graph.weights();
  }

  /** {@return the version of the operators of the domain} */
  long version() {
    return graph.version(node);
  }

  /** {@return the values of an attribute; empty if it is missing} */
  List<Long> integers(String name) {
    return NodeAttributes.find(node.proto(), name)
        .map(attribute ->
            attribute.getIntsCount() > 0 ? attribute.getIntsList() : List.of(attribute.getI()))
        .orElse(List.of());
  }

  /** {@return the value of an attribute, or the default one if it is missing} */
  long integer(String name, long missing) {
    return integers(name).stream().findFirst().orElse(missing);
  }

  /** {@return the text of an attribute; empty if it is missing} */
  String text(String name) {
    return NodeAttributes.text(node.proto(), name);
  }

  /** {@return true if a convolution with a window of one element reads each pixel once} */
  boolean hasStridesOfOneAndNoPadding() {
    return Stream.of(1L, 0L)
        .allMatch(
            value -> integers(value == 1 ? "strides" : "pads").stream().allMatch(value::equals));
  }

  /** {@return the dimensions of the results of an element-wise operator with two inputs} */
  static List<Long> broadcast(List<Long> one, List<Long> other) {
    int rank = Math.max(one.size(), other.size());
    List<Long> dimensions = new ArrayList<>();
    for (int axis = 0; axis < rank; axis++) {
      long first = fromEnd(one, rank - axis);
      dimensions.add(first == 1 ? fromEnd(other, rank - axis) : first);
    }
    return dimensions;
  }

  private static long fromEnd(List<Long> dimensions, int distance) {
    return distance > dimensions.size() ? 1 : dimensions.get(dimensions.size() - distance);
  }

  static long product(List<Long> dimensions) {
    return dimensions.stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
  }
}
