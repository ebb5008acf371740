package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which ONNX Runtime made the operators of an optimized graph: those of the file
 * first, then those that replaced others.
 */
final class CreationOrder implements Comparator<NodeProto> {

  private final Map<List<String>, Integer> named = new HashMap<>();
  private final Map<List<String>, Integer> results = new HashMap<>();

  /** Creates the order for the optimized forms of a graph. */
  CreationOrder(GraphProto file) {
    for (int i = 0; i < file.getNodeCount(); i++) {
      NodeProto node = file.getNode(i);
      if (!node.getName().isEmpty()) {
        named.merge(key(node, node.getName()), i, Math::max);
      }
      for (String result : node.getOutputList()) {
        results.put(key(node, result), i);
      }
    }
  }

  private static List<String> key(NodeProto node, String name) {
    return List.of(node.getDomain(), node.getOpType(), name);
  }

  private int rank(NodeProto node) {
    Integer index = named.get(key(node, node.getName()));
    if (index == null && node.getOutputCount() > 0) {
      index = results.get(key(node, node.getOutput(0)));
    }
    return index == null ? Integer.MAX_VALUE : index;
  }

  @Override
  public int compare(NodeProto one, NodeProto other) {
    return Integer.compare(rank(one), rank(other));
  }
}
