package dev.stowage.onnxbudget.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.NodeProto;

/** The number of operators that the memory of a session depends on, with those in bodies. */
final class OperatorCount {

  /**
   * The memory of an operator that remains after the optimizations, which also has a kernel, in
   * operators of the file: about 5.4 KiB instead of 3 KiB.
   */
  private static final double REMAINING_SHARE = 1.8;

  private OperatorCount() {}

  /** {@return the operators of a graph and its bodies} */
  static int of(GraphProto graph) {
    int count = graph.getNodeCount();
    for (NodeProto node : graph.getNodeList()) {
      for (AttributeProto attribute : node.getAttributeList()) {
        if (attribute.hasG()) {
          count += of(attribute.getG());
        }
      }
    }
    return count;
  }

  /** {@return the operators of the file whose memory is that of a session} */
  static int ofSession(GraphProto original, GraphProto optimized) {
    return Math.max(of(original), (int) Math.ceil(REMAINING_SHARE * of(optimized)));
  }
}
