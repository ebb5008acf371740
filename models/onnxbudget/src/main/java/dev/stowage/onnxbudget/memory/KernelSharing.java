package dev.stowage.onnxbudget.memory;

import dev.stowage.onnx.graph.GraphNode;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The inputs whose buffers the CPU kernels of ONNX Runtime use for their results.
 *
 * <p>A kernel registers two kinds of sharing. The result of an alias always has the buffer of an
 * input, as that of {@code Reshape}. A result may be in place of an input if the input has the same
 * size and no other reader. The tables are facts on ONNX Runtime 1.29, compared with its requests
 * in tests.
 */
final class KernelSharing {

  private static final String STANDARD = "";
  private static final String MACHINE_LEARNING = "ai.onnx.ml";
  private static final String CONTRIBUTED = "com.microsoft";
  private static final String BLOCKED = "com.microsoft.nchwc";

  /** The operators whose first result always has the buffer of the first input. */
  private static final Set<String> ALIASES =
      Set.of("Flatten", "Identity", "Reshape", "Squeeze", "Unsqueeze");

  /** The operators whose first result may be in place of the first input, by their domains. */
  private static final Map<String, Set<String>> IN_PLACE =
      Map.of(
          STANDARD,
          Set.of(
              "Cast",
              "Celu",
              "Clip",
              "Elu",
              "HardSigmoid",
              "LeakyRelu",
              "LogSoftmax",
              "Relu",
              "Scatter",
              "ScatterElements",
              "Selu",
              "Shrink",
              "Sigmoid",
              "Softmax",
              "Softplus",
              "Softsign",
              "Tanh",
              "ThresholdedRelu",
              "Trilu"),
          MACHINE_LEARNING,
          Set.of("Normalizer", "Scaler"),
          CONTRIBUTED,
          Set.of("MoE", "QMoE"));

  /** The operators whose result may be in place of their fourth input, a tensor to add. */
  private static final Map<String, Set<String>> ADDED_IN_PLACE =
      Map.of(CONTRIBUTED, Set.of("FusedConv"), BLOCKED, Set.of("Conv"));

  private static final int ADDED = 3;

  private KernelSharing() {}

  /** {@return the input whose buffer a result always has, if there is one} */
  static OptionalInt alias(GraphNode node, int output) {
    return output == 0 && node.isStandard() && ALIASES.contains(node.proto().getOpType())
        ? OptionalInt.of(0)
        : OptionalInt.empty();
  }

  /** {@return the input in whose place a result may be, if there is one} */
  static OptionalInt inPlace(GraphNode node, int output) {
    if (output != 0) {
      return OptionalInt.empty();
    }
    if (contains(IN_PLACE, node)) {
      return OptionalInt.of(0);
    }
    return contains(ADDED_IN_PLACE, node) ? OptionalInt.of(ADDED) : OptionalInt.empty();
  }

  private static boolean contains(Map<String, Set<String>> operators, GraphNode node) {
    String domain = node.isStandard() ? STANDARD : node.proto().getDomain();
    return operators.getOrDefault(domain, Set.of()).contains(node.proto().getOpType());
  }
}
