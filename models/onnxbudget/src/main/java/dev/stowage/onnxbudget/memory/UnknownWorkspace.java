package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.GraphNode;
import dev.stowage.onnx.graph.ModelGraph;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The operators that request workspace and have neither a rule nor a measurement. */
final class UnknownWorkspace {

  private UnknownWorkspace() {}

  /**
   * {@return a sentence for each type of operator}
   *
   * @param graph the operators
   * @param sized the sizes of their values
   * @param calibration the measurements
   * @param threads the number of threads of an operator
   */
  static List<String> notes(
      ModelGraph graph, SizedGraph sized, WorkspaceCalibration calibration, int threads) {
    Map<String, Integer> counts = new TreeMap<>();
    for (GraphNode node : graph.nodes()) {
      KernelOperands operands = new KernelOperands(node, sized);
      if (KernelWorkspace.mayBeUnknown(operands)
          && !sized.isMeasured(node, calibration)
          && KernelWorkspace.of(operands, threads).isEmpty()) {
        counts.merge(node.proto().getOpType(), 1, Integer::sum);
      }
    }
    return counts.entrySet().stream()
        .map(type ->
            String.format(
                Locale.ROOT,
                "the workspace of %d %s %s is unknown and not counted",
                type.getValue(),
                type.getKey(),
                type.getValue() == 1 ? "operator" : "operators"))
        .toList();
  }
}
