package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The outer values that the bodies of an operator ({@code If}, {@code Loop}, {@code Scan}) read.
 * They are not among the inputs of the operator.
 */
public final class OuterReads {

  private final Set<String> names = new LinkedHashSet<>();
  private final Deque<Set<String>> scopes = new ArrayDeque<>();
  private int bodyCount;
  private int operatorCount;
  private boolean hasRandom;

  /** Adds the bodies of an operator of the graph. */
  public void addBodiesOf(NodeProto node) {
    for (AttributeProto attribute : node.getAttributeList()) {
      if (attribute.hasG()) {
        addBody(attribute.getG());
      }
      attribute.getGraphsList().forEach(this::addBody);
    }
  }

  private void addBody(GraphProto body) {
    bodyCount++;
    operatorCount += body.getNodeCount();
    scopes.push(definedIn(body));
    for (NodeProto node : body.getNodeList()) {
      node.getInputList().forEach(this::read);
      hasRandom |= GraphNode.isRandom(node);
      addBodiesOf(node);
    }
    body.getOutputList().forEach(output -> read(output.getName()));
    scopes.pop();
  }

  private static Set<String> definedIn(GraphProto body) {
    Set<String> defined = new HashSet<>();
    body.getInputList().forEach(input -> defined.add(input.getName()));
    body.getInitializerList().forEach(tensor -> defined.add(tensor.getName()));
    body.getSparseInitializerList().forEach(tensor -> defined.add(tensor.getValues().getName()));
    body.getNodeList().forEach(node -> defined.addAll(node.getOutputList()));
    return defined;
  }

  private void read(String name) {
    if (!name.isEmpty() && scopes.stream().noneMatch(scope -> scope.contains(name))) {
      names.add(name);
    }
  }

  /** {@return the names that no body defines, in the order of their first use} */
  public Set<String> names() {
    return names;
  }

  /** {@return the number of bodies, including nested ones} */
  int bodyCount() {
    return bodyCount;
  }

  /** {@return the number of operators in the bodies} */
  int operatorCount() {
    return operatorCount;
  }

  /** {@return true if the results of an operator in a body differ from run to run} */
  boolean hasRandom() {
    return hasRandom;
  }
}
