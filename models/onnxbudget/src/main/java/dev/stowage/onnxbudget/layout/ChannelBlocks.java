package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.graph.DimensionSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

  static final String DOMAIN = "com.microsoft.nchwc";

  private static final List<Long> TO_CHANNELS_LAST = List.of(0L, 2L, 3L, 1L);
  private static final List<Long> FROM_CHANNELS_LAST = List.of(0L, 3L, 1L, 2L);

  private final LayoutGraph graph;
  private final long block;

  /** The values in blocks by the names of the old values, in the order of their creation. */
  private final Map<String, BlockedValue> values = new LinkedHashMap<>();

  /** The converted inputs by the names of the old values. */
  private final Map<String, String> reordered = new HashMap<>();

  /** The last operator that converts to channels first, for one reader. */
  private Optional<Integer> lastTranspose = Optional.empty();

  ChannelBlocks(LayoutGraph graph, long block) {
    this.graph = graph;
    this.block = block;
  }

  /**
   * Rewrites the operators.
   *
   * @param random the order of operators that convert results, which ONNX Runtime does not define
   */
  void rewrite(Random random) {
    BlockedWeights weights = new BlockedWeights(graph, this);
    BlockedElements elements = new BlockedElements(graph, this);
    BlockedWindows windows = new BlockedWindows(graph, this);
    int count = graph.count();
    for (int i = 0; i < count; i++) {
      NodeProto.Builder node = graph.node(i);
      if (node.getOpType().equals("Transpose") && isStandard(node)) {
        track(i);
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

  long rounded(long channels) {
    return Math.ceilDiv(channels, block) * block;
  }

  boolean isWhole(long channels) {
    return channels % block == 0;
  }

  long block() {
    return block;
  }

  /** {@return the value in blocks that stands for an old value, if there is one} */
  Optional<BlockedValue> value(String old) {
    return Optional.ofNullable(values.get(old));
  }

  /** {@return a new operator that works on blocks, with the operands and attributes of another} */
  NodeProto.Builder addLike(NodeProto.Builder old, String type) {
    return graph.add(old.clone().setDomain(DOMAIN).setOpType(type));
  }

  /**
   * Gives an operator a result in blocks.
   *
   * @param old the old operator, whose edges disappear
   * @param producer the operator that has the result of the old one
   */
  void create(int old, NodeProto.Builder producer, long channels, BlockedShape shape) {
    int uses = graph.detach(old);
    String name = producer.getOutput(0);
    producer.setOutput(0, graph.newName());
    values.put(name, new BlockedValue(producer, uses, channels, shape));
  }

  /** Removes an operator that another one computes in addition. */
  void fuse(int old, BlockedValue into) {
    int uses = graph.detach(old);
    values.put(
        graph.node(old).getOutput(0),
        new BlockedValue(into.producer(), uses, into.channels(), into.shape()));
    graph.remove(old);
  }

  /** Makes an operator read the converted input. */
  void reorderInput(NodeProto.Builder node) {
    String old = node.getInput(0);
    String name = reordered.get(old);
    if (name == null) {
      name = graph.newName();
      reordered.put(old, name);
      NodeProto.Builder reorder =
          graph.add(
              NodeProto.newBuilder()
                  .setDomain(DOMAIN)
                  .setOpType("ReorderInput")
                  .addInput(old)
                  .addOutput(name));
      if (lastTranspose.isPresent() && graph.node(lastTranspose.get()).getOutput(0).equals(old)) {
        int transpose = lastTranspose.get();
        reorder.setInput(0, graph.node(transpose).getInput(0));
        LayoutGraph.set(reorder, "channels_last", 1);
        graph.detach(transpose);
        graph.remove(transpose);
        lastTranspose = Optional.empty();
      }
    }
    node.setInput(0, name);
  }

  private void track(int index) {
    NodeProto.Builder node = graph.node(index);
    if (LayoutGraph.integers(node, "perm").equals(FROM_CHANNELS_LAST)
        && !graph.isOutput(node.getOutput(0))
        && graph.readers(node.getOutput(0)).size() == 1) {
      lastTranspose = Optional.of(index);
    }
  }

  /** Converts a result to channels last. */
  private void transpose(int index) {
    NodeProto.Builder node = graph.node(index);
    Optional<BlockedValue> input = value(node.getInput(0));
    if (input.isEmpty() || !LayoutGraph.integers(node, "perm").equals(TO_CHANNELS_LAST)) {
      return;
    }
    NodeProto.Builder reorder = addReorderedOutput(input.get(), node.getOutput(0));
    LayoutGraph.set(reorder, "channels_last", 1);
    reorder.addInput(input.get().use());
    graph.detach(index);
    graph.remove(index);
  }

  private NodeProto.Builder addReorderedOutput(BlockedValue value, String name) {
    NodeProto.Builder reorder =
        graph.add(
            NodeProto.newBuilder().setDomain(DOMAIN).setOpType("ReorderOutput").addOutput(name));
    LayoutGraph.set(reorder, "channels", value.channels());
    return reorder;
  }

  /** Converts the results that operators without blocks read. */
  private void addReorderedOutputs(Random random) {
    List<Map.Entry<String, BlockedValue>> used = new ArrayList<>();
    for (Map.Entry<String, BlockedValue> value : values.entrySet()) {
      if (value.getValue().isStillUsed()) {
        used.add(value);
      }
    }
    Collections.shuffle(used, random);
    for (Map.Entry<String, BlockedValue> value : used) {
      addReorderedOutput(value.getValue(), value.getKey()).addInput(value.getValue().name());
    }
  }

  /** {@return true if two old values have the same size along an axis, known or by its name} */
  boolean isSame(String one, String other, int axis) {
    Optional<DimensionSize> first = dimension(one, axis);
    Optional<DimensionSize> second = dimension(other, axis);
    if (first.isEmpty() || !first.equals(second)) {
      return false;
    }
    return switch (first.get()) {
      case DimensionSize.Known(long size) -> size > 0;
      case DimensionSize.Named _ -> true;
      case DimensionSize.Unnamed _ -> false;
    };
  }

  private Optional<DimensionSize> dimension(String value, int axis) {
    return graph.shape(value).filter(shape -> axis < shape.size()).map(shape -> shape.get(axis));
  }
}
