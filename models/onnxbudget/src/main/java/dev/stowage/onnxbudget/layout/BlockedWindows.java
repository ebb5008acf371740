package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import dev.stowage.onnx.graph.ElementType;
import dev.stowage.onnx.graph.NodeAttributes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The pools and resizes that work on blocks. */
final class BlockedWindows {

  private static final int SCALES = 2;
  private static final int SIZES = 3;
  private static final int SCALES_OF_UPSAMPLE = 1;

  private final LayoutGraph graph;
  private final BlockedValues blocks;

  BlockedWindows(LayoutGraph graph, BlockedValues blocks) {
    this.graph = graph;
    this.blocks = blocks;
  }

  /** Rewrites a pool over whole blocks. */
  void pool(int index) {
    NodeProto.Builder node = graph.node(index);
    String input = node.getInput(0);
    OptionalLong channels = graph.size(input, BlockedShape.CHANNELS);
    if (node.getOutputCount() > 1
        || !graph.isFloat(input)
        || channels.isEmpty()
        || !blocks.isWhole(channels.getAsLong())) {
      return;
    }
    NodeProto.Builder blocked = blocks.addLike(node, node.getOpType());
    BlockedShape shape = BlockedShape.of(node.getOutput(0));
    Optional<BlockedValue> value = blocks.value(input);
    if (value.isEmpty()) {
      blocks.reorderInput(blocked);
    } else {
      blocked.setInput(0, value.get().use());
      shape =
          value
              .get()
              .shape()
              .afterWindow(node, node.getOutput(0), NodeAttributes.integers(node, "kernel_shape"));
    }
    blocks.create(index, blocked, channels.getAsLong(), shape);
    graph.remove(index);
  }

  /** Rewrites the enlargement of the images of a tensor in blocks by whole factors. */
  void resize(int index) {
    NodeProto.Builder node = graph.node(index);
    Optional<BlockedValue> input = blocks.value(node.getInput(0));
    String mode = NodeAttributes.text(node, "mode");
    boolean isNearest = mode.isEmpty() || mode.equals("nearest");
    if (input.isEmpty() || (!isNearest && !mode.equals("linear")) || !hasKernel(node, isNearest)) {
      return;
    }
    List<Long> scales = scales(node);
    if (scales.size() != BlockedShape.DIMENSIONS || scales.get(0) != 1 || scales.get(1) != 1) {
      return;
    }
    NodeProto.Builder blocked =
        graph.add(
            NodeProto.newBuilder()
                .setDomain(BlockedValue.DOMAIN)
                .setOpType("Upsample")
                .setName(node.getName())
                .addInput(input.get().use())
                .addOutput(node.getOutput(0)));
    blocked
        .addAttributeBuilder()
        .setName("scales")
        .setType(AttributeProto.AttributeType.INTS)
        .addAllInts(scales);
    if (!isNearest) {
      NodeAttributes.find(node, "mode").ifPresent(blocked::addAttribute);
      NodeAttributes.find(node, "coordinate_transformation_mode").ifPresent(blocked::addAttribute);
    }
    blocks.create(index, blocked, input.get().channels(), BlockedShape.of(node.getOutput(0)));
    graph.remove(index);
  }

  private static boolean hasKernel(NodeProto.Builder node, boolean isNearest) {
    if (node.getOpType().equals("Upsample") || node.getInputCount() <= SCALES) {
      return true;
    }
    String coordinates = NodeAttributes.text(node, "coordinate_transformation_mode");
    return isNearest
        ? coordinates.equals("asymmetric")
            && NodeAttributes.text(node, "nearest_mode").equals("floor")
        : List.of("asymmetric", "align_corners", "half_pixel").contains(coordinates);
  }

  /** {@return the factors; empty if they are not constant and whole} */
  private List<Long> scales(NodeProto.Builder node) {
    if (node.getInputCount() > SIZES) {
      return scalesOfSizes(node);
    }
    int place = node.getInputCount() > SCALES ? SCALES : SCALES_OF_UPSAMPLE;
    if (place >= node.getInputCount()) {
      return List.of();
    }
    List<Long> scales = new ArrayList<>();
    for (double scale :
        graph.floats(node.getInput(place), 1).map(BlockedWindows::numbers).orElse(List.of())) {
      if (scale < 1 || scale != Math.rint(scale)) {
        return List.of();
      }
      scales.add((long) scale);
    }
    return scales;
  }

  private List<Long> scalesOfSizes(NodeProto.Builder node) {
    List<Long> scales = new ArrayList<>();
    List<Double> sizes =
        graph
            .constant(node.getInput(SIZES))
            .filter(tensor -> tensor.getDataType() == ElementType.INT64.code())
            .map(BlockedWindows::numbers)
            .orElse(List.of());
    for (int axis = 0; axis < sizes.size(); axis++) {
      long size = sizes.get(axis).longValue();
      long before =
          axis < BlockedShape.DIMENSIONS ? graph.size(node.getInput(0), axis).orElse(0) : 0;
      if (before <= 0 || size % before != 0) {
        return List.of();
      }
      scales.add(size / before);
    }
    return scales;
  }

  /** {@return the elements of a tensor of 32-bit floating-point numbers or 64-bit integers} */
  private static List<Double> numbers(TensorProto tensor) {
    boolean isFloat = tensor.getDataType() == ElementType.FLOAT.code();
    List<Double> numbers = new ArrayList<>();
    if (tensor.hasRawData()) {
      ByteBuffer bytes = tensor.getRawData().asReadOnlyByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
      while (bytes.hasRemaining()) {
        numbers.add(isFloat ? bytes.getFloat() : (double) bytes.getLong());
      }
    } else if (isFloat) {
      tensor.getFloatDataList().forEach(number -> numbers.add(number.doubleValue()));
    } else {
      tensor.getInt64DataList().forEach(number -> numbers.add(number.doubleValue()));
    }
    return numbers;
  }
}
