package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The number of operators of a model after its functions are inlined. A few functions that call
 * each other can have so many that ONNX Runtime crashes.
 */
public final class FunctionCalls {

  /** The largest count, and the count of a function that calls itself. */
  private static final int MANY = Integer.MAX_VALUE;

  private final Map<List<String>, FunctionProto> functions = new HashMap<>();
  private final Map<List<String>, Integer> counts = new HashMap<>();

  private FunctionCalls(ModelProto model) {
    for (FunctionProto function : model.getFunctionsList()) {
      functions.put(List.of(function.getDomain(), function.getName()), function);
    }
  }

  /**
   * {@return the number of operators, including operators of bodies; 2^31 - 1 if there are more}
   */
  public static int operatorCount(ModelProto model) {
    return new FunctionCalls(model).of(model.getGraph().getNodeList());
  }

  private int of(List<NodeProto> nodes) {
    long count = 0;
    for (NodeProto node : nodes) {
      count += of(node);
    }
    return (int) Math.min(count, MANY);
  }

  private long of(NodeProto node) {
    long count = 1;
    for (AttributeProto attribute : node.getAttributeList()) {
      count += of(attribute.getG().getNodeList());
      for (GraphProto body : attribute.getGraphsList()) {
        count += of(body.getNodeList());
      }
    }
    List<String> name = List.of(node.getDomain(), node.getOpType());
    FunctionProto function = functions.get(name);
    if (function == null) {
      return count;
    }
    Integer known = counts.get(name);
    if (known == null) {
      counts.put(name, MANY); // a call of the function before it is counted is a recursion
      known = of(function.getNodeList());
      counts.put(name, known);
    }
    return count + known;
  }
}
