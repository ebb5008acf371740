package dev.stowage.onnx.service;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import dev.stowage.onnx.file.OnnxFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The number of rows of weights among which each integer input chooses, such as a vocabulary. */
public final class InputBounds {

  /** The operators that pass their first input on. */
  private static final Set<String> PASSING =
      Set.of("Cast", "Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze");

  private InputBounds() {}

  /**
   * {@return the exclusive upper bounds of inputs that select rows of weights, by name}
   *
   * @param model the file
   * @throws IOException if it cannot be read, or is not a model
   */
  public static Map<String, Long> of(Path model) throws IOException {
    GraphProto graph = OnnxFile.parse(model).getGraph();
    Map<String, TensorProto> weights = new HashMap<>();
    graph.getInitializerList().forEach(weight -> weights.put(weight.getName(), weight));
    Map<String, String> origins = new HashMap<>();
    for (ValueInfoProto input : graph.getInputList()) {
      origins.put(input.getName(), input.getName());
    }
    Map<String, Long> bounds = new LinkedHashMap<>();
    for (NodeProto node : graph.getNodeList()) {
      if (PASSING.contains(node.getOpType()) && origins.containsKey(node.getInput(0))) {
        origins.put(node.getOutput(0), origins.getOrDefault(node.getInput(0), ""));
      }
      if (node.getOpType().equals("Gather")
          && node.getInputCount() == 2
          && origins.containsKey(node.getInput(1))
          && weights.containsKey(node.getInput(0))) {
        TensorProto rows = weights.getOrDefault(node.getInput(0), TensorProto.getDefaultInstance());
        int axis = axis(node);
        if (axis >= 0 && axis < rows.getDimsCount()) {
          bounds.merge(origins.getOrDefault(node.getInput(1), ""), rows.getDims(axis), Math::min);
        }
      }
    }
    return bounds;
  }

  private static int axis(NodeProto node) {
    return (int)
        node.getAttributeList().stream()
            .filter(attribute -> attribute.getName().equals("axis"))
            .mapToLong(AttributeProto::getI)
            .findFirst()
            .orElse(0);
  }
}
