package dev.stowage.onnx.symbolic;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values of a graph, of a body or of a function, computed operator by operator. */
final class GraphShapes {

  private final ModelScope scope;
  private final Optional<GraphShapes> around;
  private final Map<String, SymbolicValue> values = new HashMap<>();

  /**
   * Creates a graph without values.
   *
   * @param scope the model
   * @param around the graph whose values this graph can read
   */
  GraphShapes(ModelScope scope, Optional<GraphShapes> around) {
    this.scope = scope;
    this.around = around;
  }

  ModelScope scope() {
    return scope;
  }

  void put(String name, SymbolicValue value) {
    if (!name.isEmpty()) { // an omitted output
      values.put(name, value);
    }
  }

  /** {@return the value of a name in this graph or around it} */
  SymbolicValue value(String name) {
    SymbolicValue own = values.get(name);
    if (own != null) {
      return own;
    }
    return around.map(outer -> outer.value(name)).orElse(SymbolicValue.ABSENT);
  }

  /**
   * Computes the results of an operator.
   *
   * @param node the operator
   * @param description the name of the operator of the main graph in messages
   */
  void apply(NodeProto node, String description) {
    List<SymbolicValue> inputs = new ArrayList<>();
    node.getInputList().forEach(name -> inputs.add(value(name)));
    OperatorCall call =
        new OperatorCall(
            node, description, scope.version(node.getDomain()), inputs, scope.sizing());
    List<SymbolicValue> results = results(node, call);
    for (int i = 0; i < node.getOutputCount(); i++) {
      put(
          node.getOutput(i),
          i < results.size() ? results.get(i) : SymbolicValue.unknown(0, description));
    }
  }

  private List<SymbolicValue> results(NodeProto node, OperatorCall call) {
    if (!scope.hasBudget()) {
      return List.of();
    }
    try {
      Optional<FunctionProto> function = scope.function(node);
      if (function.isPresent()) {
        return calls(function.get(), call);
      }
      boolean isStandard = node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx");
      if (isStandard && ControlRules.isControl(node.getOpType())) {
        return new ControlRules((body, inputs) -> evaluate(body, inputs, call.description()), call)
            .results();
      }
      Optional<ShapeRule> rule = OperatorRules.find(node.getDomain(), node.getOpType());
      return rule.isPresent() ? rule.get().apply(call) : List.of();
    } catch (UnknownShapeException e) {
      String cause = String.valueOf(e.getMessage());
      return unknown(node, cause.isEmpty() ? call.description() : cause);
    } catch (ArithmeticException e) {
      return List.of(); // a number exceeds 64 bits
    }
  }

  private static List<SymbolicValue> unknown(NodeProto node, String cause) {
    List<SymbolicValue> results = new ArrayList<>();
    for (int i = 0; i < node.getOutputCount(); i++) {
      results.add(SymbolicValue.unknown(0, cause));
    }
    return results;
  }

  /** {@return the results of a function of the model} */
  private List<SymbolicValue> calls(FunctionProto function, OperatorCall call) {
    GraphShapes body = new GraphShapes(scope.within(function), Optional.empty());
    for (int i = 0; i < function.getInputCount(); i++) {
      body.put(function.getInput(i), call.input(i));
    }
    for (NodeProto node : function.getNodeList()) {
      body.apply(withAttributesOf(call, function, node), call.description());
    }
    return function.getOutputList().stream().map(body::value).toList();
  }

  /** {@return an operator of a function with the attributes of the call} */
  private static NodeProto withAttributesOf(
      OperatorCall call, FunctionProto function, NodeProto node) {
    if (node.getAttributeList().stream().allMatch(own -> own.getRefAttrName().isEmpty())) {
      return node;
    }
    NodeProto.Builder bound = node.toBuilder().clearAttribute();
    for (AttributeProto own : node.getAttributeList()) {
      String reference = own.getRefAttrName();
      if (reference.isEmpty()) {
        bound.addAttribute(own);
      } else {
        call.attribute(reference)
            .or(() ->
                function.getAttributeProtoList().stream()
                    .filter(attribute -> attribute.getName().equals(reference))
                    .findFirst())
            .ifPresent(value -> bound.addAttribute(value.toBuilder().setName(own.getName())));
      }
    }
    return bound.build();
  }

  /**
   * {@return the outputs of a body}
   *
   * @param body the body
   * @param inputs its inputs
   * @param description the operator of the main graph in messages
   */
  private List<SymbolicValue> evaluate(
      GraphProto body, List<SymbolicValue> inputs, String description) {
    GraphShapes shapes = new GraphShapes(scope, Optional.of(this));
    for (int i = 0; i < body.getInputCount(); i++) {
      shapes.put(
          body.getInput(i).getName(),
          i < inputs.size() ? inputs.get(i) : SymbolicValue.unknown(0, description));
    }
    for (TensorProto tensor : body.getInitializerList()) {
      shapes.put(tensor.getName(), ElementNumbers.valueOf(tensor));
    }
    for (NodeProto node : body.getNodeList()) {
      shapes.apply(node, description);
    }
    return body.getOutputList().stream().map(output -> shapes.value(output.getName())).toList();
  }
}
