package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.graph.NodeAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operators with weights that work on blocks: convolutions and scales of channels. */
final class BlockedWeights {

  /** The multiple of channels that conversions accept. */
  private static final int CHANNEL_MULTIPLE = 4;

  private static final int BIAS = 2;
  private static final int CONVOLUTION_RANK = 4;

  private final LayoutGraph graph;
  private final BlockedValues blocks;

  /** The new weights by the old ones, for inputs in blocks and for others. */
  private final Map<String, String> filters = new HashMap<>();

  private final Map<String, String> filtersOfChannels = new HashMap<>();
  private final Map<String, String> biases = new HashMap<>();

  BlockedWeights(LayoutGraph graph, BlockedValues blocks) {
    this.graph = graph;
    this.blocks = blocks;
  }

  /** The channels of a convolution in blocks. */
  private record Form(
      long outputs, long inputs, long groups, boolean isOfChannels, boolean isOfBlocks) {}

  /** Rewrites a convolution if its channels allow it. */
  void convolution(int index) {
    NodeProto.Builder node = graph.node(index);
    Optional<TensorProto> weight =
        node.getInputCount() < 2
            ? Optional.empty()
            : graph.floats(node.getInput(1), CONVOLUTION_RANK);
    if (weight.isEmpty()) {
      return;
    }
    long groups = NodeAttributes.integer(node, "group", 1);
    Optional<Form> known = form(weight.get(), groups);
    long outputs = weight.get().getDims(0);
    if (known.isEmpty() || !hasBias(node, outputs)) {
      return;
    }
    Form form = known.get();
    NodeProto.Builder blocked = blocks.addLike(node, "Conv");
    blocked.setInput(1, filter(node.getInput(1), weight.get(), form));
    if (node.getInputCount() > BIAS && form.outputs() != outputs) {
      blocked.setInput(
          BIAS,
          biases.computeIfAbsent(
              node.getInput(BIAS), _ -> graph.addWeight(List.of(form.outputs()))));
    }
    if (form.groups() != groups) {
      NodeAttributes.set(blocked, "group", form.groups());
    }
    BlockedShape shape = BlockedShape.of(node.getOutput(0));
    if (form.isOfBlocks()) {
      Optional<BlockedValue> input = blocks.value(node.getInput(0));
      if (input.isEmpty()) {
        blocks.reorderInput(blocked);
      } else {
        blocked.setInput(0, input.get().use());
        shape =
            input
                .get()
                .shape()
                .afterWindow(
                    node,
                    node.getOutput(0),
                    weight.get().getDimsList().subList(2, CONVOLUTION_RANK));
      }
    }
    blocks.create(index, blocked, outputs, shape);
    graph.remove(index);
  }

  /** {@return the form of a convolution; empty if it does not work on blocks} */
  private Optional<Form> form(TensorProto weight, long groups) {
    long outputs = weight.getDims(0);
    long inputs = weight.getDims(1);
    long rounded = blocks.rounded(outputs);
    if (groups <= 1) {
      if (inputs < blocks.block()) {
        return Optional.of(new Form(rounded, inputs, groups, true, false));
      }
      return inputs % CHANNEL_MULTIPLE == 0
          ? Optional.of(new Form(rounded, blocks.rounded(inputs), groups, false, true))
          : Optional.empty();
    }
    if (outputs % CHANNEL_MULTIPLE != 0) {
      return Optional.empty();
    }
    if (inputs == 1 && outputs == groups) {
      return Optional.of(new Form(rounded, 1, rounded, true, true));
    }
    return blocks.isWhole(inputs) && outputs % groups == 0 && blocks.isWhole(outputs / groups)
        ? Optional.of(new Form(rounded, inputs, groups, false, true))
        : Optional.empty();
  }

  private boolean hasBias(NodeProto.Builder node, long outputs) {
    return node.getInputCount() <= BIAS
        || graph
            .floats(node.getInput(BIAS), 1)
            .filter(bias -> bias.getDims(0) == outputs)
            .isPresent();
  }

  private String filter(String old, TensorProto weight, Form form) {
    List<Long> shape = new ArrayList<>(weight.getDimsList());
    shape.set(0, form.outputs());
    shape.set(1, form.inputs());
    return (form.isOfChannels() ? filtersOfChannels : filters)
        .computeIfAbsent(old, _ -> graph.addWeight(shape));
  }

  /** Rewrites the normalization of a tensor in blocks as a convolution of each channel. */
  void normalization(int index) {
    NodeProto.Builder node = graph.node(index);
    Optional<BlockedValue> input = blocks.value(node.getInput(0));
    if (node.getOutputCount() > 1
        || input.isEmpty()
        || NodeAttributes.integer(node, "spatial", 1) != 1
        || NodeAttributes.find(node, "epsilon").isEmpty()) {
      return;
    }
    long channels = input.get().channels();
    boolean areConstant =
        node.getInputList().stream()
            .skip(1)
            .allMatch(name ->
                graph.floats(name, 1).filter(scale -> scale.getDims(0) == channels).isPresent());
    if (areConstant) {
      NodeProto.Builder blocked = ofChannels(node, input.get());
      blocked.addInput(graph.addWeight(List.of(blocks.rounded(channels))));
      blocks.create(index, blocked, channels, input.get().shape());
      graph.remove(index);
    }
  }

  /** Rewrites the product of a tensor in blocks and a factor for each channel, if it is one. */
  boolean scale(int index) {
    NodeProto.Builder node = graph.node(index);
    for (int place = 0; place < Math.min(2, node.getInputCount()); place++) {
      Optional<BlockedValue> input = blocks.value(node.getInput(place));
      Optional<TensorProto> factor = graph.constant(node.getInput(1 - place));
      if (input.isPresent()
          && factor.isPresent()
          && isOfChannels(node.getInput(1 - place), input.get().channels())) {
        NodeProto.Builder blocked = ofChannels(node, input.get());
        blocks.create(index, blocked, input.get().channels(), input.get().shape());
        graph.remove(index);
        return true;
      }
    }
    return false;
  }

  private boolean isOfChannels(String factor, long channels) {
    List<Long> inThree = List.of(channels, 1L, 1L);
    List<Long> inFour = List.of(1L, channels, 1L, 1L);
    return graph.floats(factor, 3).filter(it -> it.getDimsList().equals(inThree)).isPresent()
        || graph.floats(factor, 4).filter(it -> it.getDimsList().equals(inFour)).isPresent();
  }

  private NodeProto.Builder ofChannels(NodeProto.Builder node, BlockedValue input) {
    long channels = blocks.rounded(input.channels());
    NodeProto.Builder blocked =
        graph.add(
            NodeProto.newBuilder()
                .setDomain(BlockedValue.DOMAIN)
                .setOpType("Conv")
                .setName(node.getName())
                .addInput(input.use())
                .addInput(graph.addWeight(List.of(channels, 1L, 1L, 1L)))
                .addOutput(node.getOutput(0)));
    NodeAttributes.set(blocked, "group", channels);
    return blocked;
  }
}
