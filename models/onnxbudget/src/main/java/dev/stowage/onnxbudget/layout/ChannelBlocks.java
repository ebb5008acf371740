package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.graph.NodeAttributes;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The rewriting of convolutions, pools and the operators between them so that they work on blocks
 * of channels.
 *
 * <p>A block has as many channels as a vector register has floating-point numbers. Tensors in
 * blocks have their channels rounded up to whole blocks. {@code ReorderInput} and {@code
 * ReorderOutput} convert tensors. The rules are those of ONNX Runtime 1.29.
 */
final class ChannelBlocks {

  private static final List<Long> TO_CHANNELS_LAST = List.of(0L, 2L, 3L, 1L);

  private final LayoutGraph graph;
  private final BlockedValues blocks;

  ChannelBlocks(LayoutGraph graph, long block) {
    this.graph = graph;
    this.blocks = new BlockedValues(graph, block);
  }

  /**
   * Rewrites the operators.
   *
   * @param random the order of operators that convert results, which ONNX Runtime does not define
   */
  void rewrite(Random random) {
    BlockedWeights weights = new BlockedWeights(graph, blocks);
    BlockedElements elements = new BlockedElements(graph, blocks);
    BlockedWindows windows = new BlockedWindows(graph, blocks);
    int count = graph.count();
    for (int i = 0; i < count; i++) {
      NodeProto.Builder node = graph.node(i);
      if (node.getOpType().equals("Transpose") && isStandard(node)) {
        blocks.track(i);
      }
      switch (operator(node)) {
        case "Conv", "com.microsoft.FusedConv" -> weights.convolution(i);
        case "AveragePool", "MaxPool" -> windows.pool(i);
        default -> {
          if (node.getInputCount() > 0 && graph.hasNoEdges(i)) {
            rewriteAfterBlocks(i, weights, elements, windows);
          }
        }
      }
    }
    addReorderedOutputs(random);
  }

  private void rewriteAfterBlocks(
      int index, BlockedWeights weights, BlockedElements elements, BlockedWindows windows) {
    switch (operator(graph.node(index))) {
      case "Add", "Sum" -> elements.binary(index, true);
      case "Mul" -> {
        if (!weights.scale(index)) {
          elements.binary(index, false);
        }
      }
      case "BatchNormalization" -> weights.normalization(index);
      case "Concat" -> elements.concatenation(index);
      case "HardSigmoid", "Relu", "Sigmoid", "Tanh" -> elements.activation(index, true);
      case "Gelu", "com.microsoft.Gelu", "com.microsoft.QuickGelu" ->
          elements.activation(index, false);
      case "Transpose" -> transpose(index);
      case "Resize", "Upsample" -> windows.resize(index);
      case "GlobalAveragePool", "GlobalMaxPool" -> windows.pool(index);
      default -> {
        // Other operators read the converted result.
      }
    }
  }

  static boolean isStandard(NodeProto.Builder node) {
    return node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx");
  }

  private static String operator(NodeProto.Builder node) {
    return isStandard(node) ? node.getOpType() : node.getDomain() + "." + node.getOpType();
  }

  /** Converts a result to channels last. */
  private void transpose(int index) {
    NodeProto.Builder node = graph.node(index);
    Optional<BlockedValue> input = blocks.value(node.getInput(0));
    if (input.isEmpty() || !NodeAttributes.integers(node, "perm").equals(TO_CHANNELS_LAST)) {
      return;
    }
    NodeProto.Builder reorder = addReorderedOutput(input.get(), node.getOutput(0));
    NodeAttributes.set(reorder, "channels_last", 1);
    reorder.addInput(input.get().use());
    graph.detach(index);
    graph.remove(index);
  }

  private NodeProto.Builder addReorderedOutput(BlockedValue value, String name) {
    NodeProto.Builder reorder =
        graph.add(
            NodeProto.newBuilder()
                .setDomain(BlockedValue.DOMAIN)
                .setOpType("ReorderOutput")
                .addOutput(name));
    NodeAttributes.set(reorder, "channels", value.channels());
    return reorder;
  }

  /** Converts the results that operators without blocks read. */
  private void addReorderedOutputs(Random random) {
    List<Map.Entry<String, BlockedValue>> used = blocks.stillUsed();
    Collections.shuffle(used, random);
    for (Map.Entry<String, BlockedValue> value : used) {
      addReorderedOutput(value.getValue(), value.getKey()).addInput(value.getValue().name());
    }
  }
}
