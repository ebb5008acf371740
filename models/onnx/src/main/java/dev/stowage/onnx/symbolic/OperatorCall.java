package dev.stowage.onnx.symbolic;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.plan.shapes.SizeExpression;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/** An operator with its inputs and attributes, as a rule reads them. */
final class OperatorCall {

  private final NodeProto node;
  private final String description;
  private final long version;
  private final List<SymbolicValue> inputs;
  private final Map<String, AttributeProto> attributes = new HashMap<>();
  private final Sizing sizing;

  /**
   * Creates a call.
   *
   * @param node the operator
   * @param description its name in messages
   * @param version the version of its operator set
   * @param inputs its inputs, without the omitted ones at the end
   * @param sizing the ranges of dimensions
   */
  OperatorCall(
      NodeProto node, String description, long version, List<SymbolicValue> inputs, Sizing sizing) {
    this.node = node;
    this.description = description;
    this.version = version;
    this.inputs = List.copyOf(inputs);
    this.sizing = sizing;
    node.getAttributeList().forEach(attribute -> attributes.put(attribute.getName(), attribute));
  }

  String description() {
    return description;
  }

  String operator() {
    return node.getOpType();
  }

  long version() {
    return version;
  }

  Sizing sizing() {
    return sizing;
  }

  int inputCount() {
    return inputs.size();
  }

  int outputCount() {
    return node.getOutputCount();
  }

  /** {@return true if an input is not omitted} */
  boolean has(int index) {
    return index < node.getInputCount() && !node.getInput(index).isEmpty();
  }

  /** {@return an input, or {@link SymbolicValue#ABSENT}} */
  SymbolicValue input(int index) {
    return index < inputs.size() ? inputs.get(index) : SymbolicValue.ABSENT;
  }

  /** {@return the code of the elements of an input} */
  int code(int index) {
    return input(index).elementCode();
  }

  /**
   * {@return the shape of an input}
   *
   * @throws UnknownShapeException if it is unknown
   */
  SymbolicShape shape(int index) {
    return input(index).shape().orElseThrow(() -> new UnknownShapeException(input(index).cause()));
  }

  /** {@return the elements of an input, if it is a small tensor with known elements} */
  Optional<List<Quantity>> listed(int index) {
    return input(index).listed();
  }

  /** {@return the element of an input with one element, if it is known} */
  Optional<Quantity> scalar(int index) {
    return listed(index).filter(elements -> elements.size() == 1).map(List::getFirst);
  }

  /** {@return the constant integers of an input, if they are known} */
  Optional<List<Long>> constants(int index) {
    return listed(index)
        .flatMap(elements -> {
          List<Long> constants = new ArrayList<>();
          for (Quantity element : elements) {
            OptionalLong constant = element.constant();
            if (constant.isEmpty()) {
              return Optional.empty();
            }
            constants.add(constant.getAsLong());
          }
          return Optional.of(constants);
        });
  }

  boolean hasAttribute(String name) {
    return attributes.containsKey(name);
  }

  long integer(String name, long otherwise) {
    AttributeProto attribute = attributes.get(name);
    return attribute == null ? otherwise : attribute.getI();
  }

  boolean flag(String name) {
    return integer(name, 0) != 0;
  }

  float number(String name, float otherwise) {
    AttributeProto attribute = attributes.get(name);
    return attribute == null ? otherwise : attribute.getF();
  }

  Optional<List<Long>> integers(String name) {
    return Optional.ofNullable(attributes.get(name)).map(AttributeProto::getIntsList);
  }

  /** {@return the integers of an attribute, or a number of equal ones} */
  List<Long> integers(String name, int count, long otherwise) {
    List<Long> integers =
        integers(name)
            .filter(list -> !list.isEmpty())
            .orElseGet(() -> Collections.nCopies(count, otherwise));
    if (integers.size() != count) {
      throw unknown();
    }
    return integers;
  }

  List<Float> numbers(String name) {
    AttributeProto attribute = attributes.get(name);
    return attribute == null ? List.of() : attribute.getFloatsList();
  }

  String text(String name, String otherwise) {
    AttributeProto attribute = attributes.get(name);
    return attribute == null ? otherwise : attribute.getS().toStringUtf8();
  }

  Optional<AttributeProto> attribute(String name) {
    return Optional.ofNullable(attributes.get(name));
  }

  /**
   * {@return the integers of an attribute, which is an input since a version}
   *
   * @throws UnknownShapeException if the input is not a list of constants
   */
  Optional<List<Long>> integers(String name, int input) {
    if (hasAttribute(name)) {
      return integers(name);
    }
    return has(input) ? Optional.of(constants(input).orElseThrow(this::unknown)) : Optional.empty();
  }

  /**
   * {@return the index of an axis}
   *
   * @throws UnknownShapeException if the rank has no such axis
   */
  int axis(long axis, int rank) {
    if (axis < -rank || axis >= rank) {
      throw unknown();
    }
    return (int) (axis < 0 ? axis + rank : axis);
  }

  /** {@return the indices of axes, sorted and each once} */
  List<Integer> axes(List<Long> axes, int rank) {
    TreeSet<Integer> sorted = new TreeSet<>();
    axes.forEach(axis -> sorted.add(axis(axis, rank)));
    return List.copyOf(sorted);
  }

  /** {@return the length of the result for two operands along an axis} */
  SizeExpression broadcast(SizeExpression one, SizeExpression other) {
    return sizing.broadcast(description, one, other);
  }

  /** {@return one of two lengths that the operator needs to be equal} */
  SizeExpression sameSize(SizeExpression one, SizeExpression other) {
    return sizing.sameSize(description, one, other);
  }

  /** {@return a dimension that is known only at run time} */
  SizeExpression unknownSize() {
    return sizing.unknownSize(description);
  }

  /** {@return a number that is known only at run time} */
  Quantity unknownNumber() {
    return sizing.unknownNumber(description);
  }

  /** {@return a shape of a rank whose dimensions are known only at run time} */
  SymbolicShape unknownShape(int rank) {
    List<SizeExpression> dimensions = new ArrayList<>();
    for (int axis = 0; axis < Math.min(rank, 64); axis++) {
      dimensions.add(unknownSize());
    }
    return new SymbolicShape(dimensions);
  }

  /** {@return the exception for this operator} */
  UnknownShapeException unknown() {
    return new UnknownShapeException(description);
  }

  /** {@return results of one operator} */
  static List<SymbolicValue> result(int elementCode, SymbolicShape shape) {
    return List.of(SymbolicValue.of(elementCode, shape));
  }
}
