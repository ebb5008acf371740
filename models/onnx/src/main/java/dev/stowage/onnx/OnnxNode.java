package dev.stowage.onnx;

import dev.stowage.onnx.graph.ModelGraph;
import java.util.List;

/**
 * An operator of a model.
 *
 * @param index the index in the file
 * @param type the type, such as {@code Conv}
 * @param name the name of the node; empty if it has none
 */
public record OnnxNode(int index, String type, String name) {

  /** {@return the operators of a graph in execution order} */
  static List<OnnxNode> of(ModelGraph graph) {
    return graph.nodes().stream()
        .map(node ->
            new OnnxNode(
                graph.places().get(node.task()), node.proto().getOpType(), node.proto().getName()))
        .toList();
  }
}
