package dev.stowage.onnxbudget.layout;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import dev.stowage.onnx.graph.NodeAttributes;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The origins of the dimensions of a tensor: two tensors have the same size along an axis if it has
 * the same origin and was halved equally often.
 *
 * @param origins the value from which each dimension stems
 * @param halvings the number of times that each dimension was halved
 */
record BlockedShape(List<String> origins, List<Integer> halvings) {

  /** The dimensions of images: batch, channels, height and width. */
  static final int DIMENSIONS = 4;

  static final int CHANNELS = 1;
  private static final int FIRST_OF_PIXELS = 2;

  BlockedShape {
    origins = List.copyOf(origins);
    halvings = List.copyOf(halvings);
  }

  /** {@return the dimensions of a value that is their own origin} */
  static BlockedShape of(String value) {
    return new BlockedShape(
        Collections.nCopies(DIMENSIONS, value), Collections.nCopies(DIMENSIONS, 0));
  }

  boolean isSame(BlockedShape other, int axis) {
    return origins.get(axis).equals(other.origins.get(axis))
        && halvings.get(axis).equals(other.halvings.get(axis));
  }

  /** {@return this shape with channels of another origin} */
  BlockedShape withChannelsOf(String value) {
    return with(CHANNELS, value, 0);
  }

  private BlockedShape with(int axis, String origin, int halvingCount) {
    List<String> newOrigins = new java.util.ArrayList<>(origins);
    List<Integer> newHalvings = new java.util.ArrayList<>(halvings);
    newOrigins.set(axis, origin);
    newHalvings.set(axis, halvingCount);
    return new BlockedShape(newOrigins, newHalvings);
  }

  /**
   * {@return the shape of the result of a window over a tensor with this shape}
   *
   * @param node the operator
   * @param result the name of the result
   * @param window the height and width of the window; empty if they are unknown
   */
  BlockedShape afterWindow(NodeProto.Builder node, String result, List<Long> window) {
    BlockedShape shape = of(result).with(0, origins.getFirst(), 0);
    Optional<AttributeProto> pads = NodeAttributes.find(node, "pads");
    List<Long> strides = NodeAttributes.integers(node, "strides");
    List<Long> dilations = NodeAttributes.integers(node, "dilations");
    String padding = NodeAttributes.text(node, "auto_pad");
    boolean isNamed = !padding.isEmpty() && !padding.equals("NOTSET");
    boolean isSame = padding.startsWith("SAME_");
    if (window.size() != 2
        || (pads.isPresent() && pads.get().getIntsCount() != DIMENSIONS)
        || (!strides.isEmpty() && strides.size() != 2)
        || (!dilations.isEmpty() && dilations.size() != 2)
        || (isNamed && !isSame && !padding.equals("VALID"))) {
      return shape;
    }
    for (int i = 0; i < 2; i++) {
      long stride = strides.isEmpty() ? 1 : strides.get(i);
      long added =
          isNamed || pads.isEmpty() ? 0 : pads.get().getInts(i) + pads.get().getInts(i + 2);
      boolean isKept = isSame || added + 1 == window.get(i);
      if (isKept
          && (stride == 1 || stride == 2)
          && (dilations.isEmpty() || dilations.get(i) == 1)) {
        int axis = FIRST_OF_PIXELS + i;
        shape =
            shape.with(axis, origins.get(axis), halvings.get(axis) + Math.toIntExact(stride) - 1);
      }
    }
    return shape;
  }
}
