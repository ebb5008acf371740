package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.NodeAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The operators on elements that read tensors in blocks. */
final class BlockedElements {

  private static final int ADDED = 3;

  private final LayoutGraph graph;
  private final BlockedValues blocks;

  /** The shapes that separate the elements of a block, and that join them. */
  private Optional<String> separated = Optional.empty();

  private Optional<String> joined = Optional.empty();

  BlockedElements(LayoutGraph graph, BlockedValues blocks) {
    this.graph = graph;
    this.blocks = blocks;
  }

  /** {@return the values in blocks of all inputs; empty if an input has none} */
  private List<BlockedValue> inputs(NodeProto.Builder node) {
    List<BlockedValue> inputs = new ArrayList<>();
    for (String name : node.getInputList()) {
      Optional<BlockedValue> input = blocks.value(name);
      if (input.isEmpty()) {
        return List.of();
      }
      inputs.add(input.get());
    }
    return inputs;
  }

  /**
   * Rewrites an operator with several operands of the same channels.
   *
   * @param isSum true for a sum, which a convolution can absorb
   */
  void binary(int index, boolean isSum) {
    NodeProto.Builder node = graph.node(index);
    List<BlockedValue> inputs = inputs(node);
    if (inputs.isEmpty()) {
      return;
    }
    long channels = inputs.getFirst().channels();
    if (inputs.stream().anyMatch(input -> input.channels() != channels)) {
      return;
    }
    if (haveSameShape(node, inputs)) {
      for (int i = 0; i < inputs.size(); i++) {
        node.setInput(i, inputs.get(i).use());
      }
      if (!isSum || inputs.size() != 2 || !absorb(index, inputs)) {
        blocks.create(index, node, channels, inputs.getFirst().shape());
      }
    } else if (isSum) {
      separate(index, inputs);
    }
  }

  private boolean haveSameShape(NodeProto.Builder node, List<BlockedValue> inputs) {
    for (int i = 1; i < inputs.size(); i++) {
      for (int axis = 0; axis < BlockedShape.DIMENSIONS; axis++) {
        if (!inputs.getFirst().shape().isSame(inputs.get(i).shape(), axis)
            && !blocks.isSame(node.getInput(0), node.getInput(i), axis)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Makes a convolution add the other operand to its result, if one of the operands has one. */
  private boolean absorb(int index, List<BlockedValue> inputs) {
    for (int i = 0; i < 2; i++) {
      BlockedValue input = inputs.get(i);
      NodeProto.Builder convolution = input.producer();
      if (input.isOfPlainConvolution() && convolution.getInputCount() <= ADDED) {
        if (convolution.getInputCount() < ADDED) {
          convolution.addInput("");
        }
        convolution.addInput(inputs.get(1 - i).producer().getOutput(0));
        blocks.fuse(index, input);
        return true;
      }
    }
    return false;
  }

  /** Makes a sum broadcast the elements of blocks. */
  private void separate(int index, List<BlockedValue> inputs) {
    NodeProto.Builder node = graph.node(index);
    for (int i = 0; i < inputs.size(); i++) {
      String name = graph.newName();
      graph.add(reshape(inputs.get(i).use(), separatedShape(), name));
      node.setInput(i, name);
    }
    String sum = graph.newName();
    NodeProto.Builder join = graph.add(reshape(sum, joinedShape(), node.getOutput(0)));
    blocks.create(index, join, inputs.getFirst().channels(), BlockedShape.of(node.getOutput(0)));
    node.setOutput(0, sum);
  }

  private static NodeProto.Builder reshape(String value, String shape, String result) {
    return NodeProto.newBuilder()
        .setOpType("Reshape")
        .addInput(value)
        .addInput(shape)
        .addOutput(result);
  }

  private String separatedShape() {
    if (separated.isEmpty()) {
      separated = Optional.of(graph.addConstant(integers(0, -1, 0, 0, blocks.block())));
    }
    return separated.get();
  }

  private String joinedShape() {
    if (joined.isEmpty()) {
      joined = Optional.of(graph.addConstant(integers(0, -1, 0, 0)));
    }
    return joined.get();
  }

  private static TensorProto.Builder integers(long... values) {
    TensorProto.Builder tensor =
        TensorProto.newBuilder().setDataType(ElementType.INT64.code()).addDims(values.length);
    for (long value : values) {
      tensor.addInt64Data(value);
    }
    return tensor;
  }

  /** Concatenates whole blocks. */
  void concatenation(int index) {
    NodeProto.Builder node = graph.node(index);
    List<BlockedValue> inputs = inputs(node);
    if (NodeAttributes.integer(node, "axis", 0) != BlockedShape.CHANNELS
        || inputs.isEmpty()
        || inputs.stream().anyMatch(input -> !blocks.isWhole(input.channels()))) {
      return;
    }
    long channels = 0;
    for (int i = 0; i < inputs.size(); i++) {
      channels += inputs.get(i).channels();
      node.setInput(i, inputs.get(i).use());
    }
    blocks.create(
        index, node, channels, inputs.getFirst().shape().withChannelsOf(node.getOutput(0)));
  }

  /**
   * Applies a function to the elements of a tensor in blocks.
   *
   * @param canBeAbsorbed true if a convolution can apply the function
   */
  void activation(int index, boolean canBeAbsorbed) {
    NodeProto.Builder node = graph.node(index);
    Optional<BlockedValue> input = blocks.value(node.getInput(0));
    if (input.isEmpty()) {
      return;
    }
    node.setInput(0, input.get().use());
    if (canBeAbsorbed && input.get().isOfPlainConvolution()) {
      input
          .get()
          .producer()
          .addAttribute(
              AttributeProto.newBuilder()
                  .setName("activation")
                  .setType(AttributeProto.AttributeType.STRING)
                  .setS(ByteString.copyFromUtf8(node.getOpType())));
      blocks.fuse(index, input.get());
    } else {
      blocks.create(index, node, input.get().channels(), input.get().shape());
    }
  }
}
