package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.graph.OuterReads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The order in which ONNX Runtime executes operators.
 *
 * <p>It is the order of a depth-first search from the operators whose results no other operator
 * reads. The search visits the last of them first, and the producers of the operands of an operator
 * in descending order of creation.
 */
final class EngineOrder {

  private static final int LEAVE = -1;

  private EngineOrder() {}

  /**
   * {@return operators in the order of execution}
   *
   * @param nodes the operators in the order of their creation
   */
  static List<NodeProto> of(List<NodeProto> nodes) {
    Map<String, Integer> producers = new HashMap<>();
    for (int i = 0; i < nodes.size(); i++) {
      for (String name : nodes.get(i).getOutputList()) {
        if (!name.isEmpty()) {
          producers.put(name, i);
        }
      }
    }
    List<List<Integer>> operands = new ArrayList<>();
    BitSet isRead = new BitSet();
    for (NodeProto node : nodes) {
      TreeSet<Integer> sources = new TreeSet<>();
      for (String name : reads(node)) {
        Integer source = producers.get(name);
        if (source != null) {
          sources.add(source);
          isRead.set(source);
        }
      }
      operands.add(List.copyOf(sources));
    }
    Deque<Integer> stack = new ArrayDeque<>();
    for (int i = 0; i < nodes.size(); i++) {
      if (!isRead.get(i)) {
        stack.push(i);
      }
    }
    List<NodeProto> order = new ArrayList<>();
    BitSet visited = new BitSet();
    while (!stack.isEmpty()) {
      int entry = stack.pop();
      if (entry < 0) {
        order.add(nodes.get(LEAVE - entry));
      } else if (!visited.get(entry)) {
        visited.set(entry);
        stack.push(LEAVE - entry);
        for (int operand : operands.get(entry)) {
          if (!visited.get(operand)) {
            stack.push(operand);
          }
        }
      }
    }
    return order;
  }

  /** {@return the values that an operator and its bodies read, some of them several times} */
  static List<String> reads(NodeProto node) {
    List<String> reads = new ArrayList<>(node.getInputList());
    OuterReads bodies = new OuterReads();
    bodies.addBodiesOf(node);
    reads.addAll(bodies.names());
    reads.removeIf(String::isEmpty);
    return reads;
  }
}
