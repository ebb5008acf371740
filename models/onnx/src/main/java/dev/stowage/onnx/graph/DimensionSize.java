package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;

/** A dimension of the shape of a tensor. */
public sealed interface DimensionSize {

  /**
   * A known dimension.
   *
   * @param size the size, 0 or more
   */
  record Known(long size) implements DimensionSize {

    @Override
    public String toString() {
      return Long.toString(size);
    }
  }

  /**
   * A dimension that the caller of the model chooses.
   *
   * @param name the name in the file
   */
  record Named(String name) implements DimensionSize {

    @Override
    public String toString() {
      return name;
    }
  }

  /** An unknown dimension without a name. */
  record Unnamed() implements DimensionSize {

    @Override
    public String toString() {
      return "?";
    }
  }

  /** {@return the dimension of a size; some files have negative sizes for unknown dimensions} */
  static DimensionSize of(long size) {
    return size >= 0 ? new Known(size) : new Unnamed();
  }

  /** {@return a dimension in a file} */
  static DimensionSize of(Dimension dimension) {
    return switch (dimension.getValueCase()) {
      case DIM_VALUE -> of(dimension.getDimValue());
      case DIM_PARAM ->
          dimension.getDimParam().isEmpty() ? new Unnamed() : new Named(dimension.getDimParam());
      case VALUE_NOT_SET -> new Unnamed();
    };
  }

  /**
   * {@return a dimension from two sources: a number wins over a name, and the second source over
   * the first one}
   */
  static DimensionSize merge(DimensionSize first, DimensionSize second) {
    return switch (second) {
      case Known known -> known;
      case Named named -> first instanceof Known ? first : named;
      case Unnamed unnamed -> first;
    };
  }
}
