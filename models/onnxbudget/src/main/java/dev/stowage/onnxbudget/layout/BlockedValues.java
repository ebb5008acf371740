package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.graph.DimensionSize;
import dev.stowage.onnx.graph.NodeAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The values of a graph that are in blocks of channels, and the inputs that are converted. */
final class BlockedValues {

  private static final List<Long> FROM_CHANNELS_LAST = List.of(0L, 3L, 1L, 2L);

  private final LayoutGraph graph;
  private final long block;

  /** The values in blocks by the names of the old values, in the order of their creation. */
  private final Map<String, BlockedValue> values = new LinkedHashMap<>();

  /** The converted inputs by the names of the old values. */
  private final Map<String, String> reordered = new HashMap<>();

  /** The last operator that converts to channels first, for one reader. */
  private Optional<Integer> lastTranspose = Optional.empty();

  BlockedValues(LayoutGraph graph, long block) {
    this.graph = graph;
    this.block = block;
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
    return graph.add(old.clone().setDomain(BlockedValue.DOMAIN).setOpType(type));
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
                  .setDomain(BlockedValue.DOMAIN)
                  .setOpType("ReorderInput")
                  .addInput(old)
                  .addOutput(name));
      if (lastTranspose.isPresent() && graph.node(lastTranspose.get()).getOutput(0).equals(old)) {
        int transpose = lastTranspose.get();
        reorder.setInput(0, graph.node(transpose).getInput(0));
        NodeAttributes.set(reorder, "channels_last", 1);
        graph.detach(transpose);
        graph.remove(transpose);
        lastTranspose = Optional.empty();
      }
    }
    node.setInput(0, name);
  }

  /** {@return the values that operators without blocks read, by the names of the old values} */
  List<Map.Entry<String, BlockedValue>> stillUsed() {
    List<Map.Entry<String, BlockedValue>> used = new ArrayList<>();
    for (Map.Entry<String, BlockedValue> value : values.entrySet()) {
      if (value.getValue().isStillUsed()) {
        used.add(value);
      }
    }
    return used;
  }

  /** Remembers an operator that converts to channels first, for one reader. */
  void track(int index) {
    NodeProto.Builder node = graph.node(index);
    if (NodeAttributes.integers(node, "perm").equals(FROM_CHANNELS_LAST)
        && !graph.isOutput(node.getOutput(0))
        && graph.readers(node.getOutput(0)).size() == 1) {
      lastTranspose = Optional.of(index);
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
