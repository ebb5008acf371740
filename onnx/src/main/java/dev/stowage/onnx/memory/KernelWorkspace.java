package dev.stowage.onnx.memory;

import ai.onnx.proto.OnnxMl.AttributeProto;
import dev.stowage.onnx.graph.GraphNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The workspace of kernels that follows from the shapes of their operands, for operators that were
 * not measured: the unfolded input of convolutions, the gates of recurrent operators, and the
 * squares of {@code LRN}.
 *
 * <p>The sizes are those of the CPU kernels of ONNX Runtime 1.29 for 32-bit floating-point tensors.
 */
final class KernelWorkspace {

  private static final int RANK_OF_SEQUENCES = 3;
  private static final int LSTM_GATES = 4;
  private static final int GRU_GATES = 3;

  /** The floating-point numbers of a part of the unfolded input, one part for each thread. */
  private static final long UNFOLDED_PART = 128 * 128;

  /** The multiplications for which a thread is worthwhile. */
  private static final long MULTIPLICATIONS_OF_A_THREAD = 1 << 16;

  private KernelWorkspace() {}

  /**
   * {@return the sizes of the requests of a kernel; empty if no rule is known}
   *
   * @param node the operator
   * @param shapes the dimensions of a value; empty if they are unknown
   * @param threads the number of threads of the operator
   */
  static Optional<List<Long>> of(GraphNode node, Function<String, List<Long>> shapes, int threads) {
    return switch (node.proto().getDomain() + ":" + node.proto().getOpType()) {
      case ":Conv", "com.microsoft:FusedConv" ->
          Optional.of(
              parts(
                  node, shape(node, 1, shapes), shapes.apply(node.proto().getOutput(0)), threads));
      case ":ConvTranspose" ->
          Optional.of(unfolded(shape(node, 0, shapes), shape(node, 1, shapes)));
      case ":LSTM" -> Optional.of(gates(node, shape(node, 0, shapes), LSTM_GATES));
      case ":GRU" -> Optional.of(gates(node, shape(node, 0, shapes), GRU_GATES));
      case ":RNN" -> Optional.of(gates(node, shape(node, 0, shapes), 1));
      case ":LRN" -> {
        long bytes = bytes(shape(node, 0, shapes));
        yield Optional.of(bytes == 0 ? List.of() : List.of(bytes, bytes));
      }
      default -> Optional.empty();
    };
  }

  /**
   * {@return the parts of the unfolded input of a convolution, or all of it if it has more channels
   * of output than pixels}
   *
   * <p>The kernel reads the input itself if the convolution is a matrix multiplication.
   */
  private static List<Long> parts(
      GraphNode node, List<Long> weight, List<Long> result, int threads) {
    if (weight.size() <= 2 || result.size() != weight.size()) {
      return List.of();
    }
    long group = Math.max(1, integers(node, "group").stream().findFirst().orElse(1L));
    long filters = weight.getFirst() / group;
    long depth = product(weight.subList(1, weight.size()));
    long pixels = product(result.subList(2, result.size()));
    boolean isDirect =
        depth == weight.get(1)
            && integers(node, "strides").stream().allMatch(stride -> stride == 1)
            && integers(node, "pads").stream().allMatch(pad -> pad == 0);
    if (isDirect) {
      return List.of();
    }
    if (filters > pixels) {
      return List.of(Float.BYTES * pixels * depth);
    }
    double multiplications = (double) filters * pixels * depth;
    long useful = (long) (multiplications / MULTIPLICATIONS_OF_A_THREAD) + 1;
    return List.of(Float.BYTES * UNFOLDED_PART * Math.min(threads, useful));
  }

  private static List<Long> integers(GraphNode node, String name) {
    return node.proto().getAttributeList().stream()
        .filter(attribute -> attribute.getName().equals(name))
        .findFirst()
        .map(attribute ->
            attribute.getIntsCount() > 0 ? attribute.getIntsList() : List.of(attribute.getI()))
        .orElse(List.of());
  }

  private static List<Long> shape(GraphNode node, int input, Function<String, List<Long>> shapes) {
    return input < node.proto().getInputCount()
        ? shapes.apply(node.proto().getInput(input))
        : List.of();
  }

  /** {@return the bytes of a column for each element of the image: weights of one input channel} */
  private static List<Long> unfolded(List<Long> input, List<Long> weight) {
    if (input.size() <= 2 || weight.size() != input.size()) {
      return List.of();
    }
    return List.of(
        Float.BYTES
            * product(input.subList(2, input.size()))
            * product(weight.subList(1, weight.size())));
  }

  /** {@return the gates of each direction, and the reversed input and result of the second one} */
  private static List<Long> gates(GraphNode node, List<Long> input, int gateCount) {
    if (input.size() != RANK_OF_SEQUENCES) {
      return List.of();
    }
    long hidden = 0;
    boolean isBidirectional = false;
    for (AttributeProto attribute : node.proto().getAttributeList()) {
      if (attribute.getName().equals("hidden_size")) {
        hidden = attribute.getI();
      } else if (attribute.getName().equals("direction")) {
        isBidirectional = attribute.getS().toStringUtf8().equals("bidirectional");
      }
    }
    long steps = input.get(0) * input.get(1);
    long gates = (long) Float.BYTES * gateCount * hidden * steps;
    long reversed = Float.BYTES * (hidden + input.get(2)) * steps;
    return isBidirectional ? List.of(gates, gates, reversed) : List.of(gates, reversed);
  }

  private static long bytes(List<Long> shape) {
    return shape.isEmpty() ? 0 : Float.BYTES * product(shape);
  }

  private static long product(List<Long> dimensions) {
    return dimensions.stream().mapToLong(Long::longValue).reduce(1, Math::multiplyExact);
  }
}
