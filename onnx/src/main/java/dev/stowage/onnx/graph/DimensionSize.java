package dev.stowage.onnx.graph;

import ai.onnx.proto.OnnxMl.TensorShapeProto.Dimension;

/** One dimension of a tensor's shape. */
public sealed interface DimensionSize {

  /**
   * A number.
   *
   * @param size how many, 0 or more
   */
  record Known(long size) implements DimensionSize {

    @Override
    public String toString() {
      return Long.toString(size);
    }
  }

  /**
   * One that the caller of a model chooses.
   *
   * @param name what the file calls it
   */
  record Named(String name) implements DimensionSize {

    @Override
    public String toString() {
      return name;
    }
  }

  /** One that the file says nothing of. */
  record Unnamed() implements DimensionSize {

    @Override
    public String toString() {
      return "?";
    }
  }

  /** {@return what a number says; a negative one, as some write it, says nothing} */
  static DimensionSize of(long size) {
    return size >= 0 ? new Known(size) : new Unnamed();
  }

  /** {@return what a file says} */
  static DimensionSize of(Dimension dimension) {
    return switch (dimension.getValueCase()) {
      case DIM_VALUE -> of(dimension.getDimValue());
      case DIM_PARAM ->
          dimension.getDimParam().isEmpty() ? new Unnamed() : new Named(dimension.getDimParam());
      case VALUE_NOT_SET -> new Unnamed();
    };
  }

  /**
   * {@return what two sources know of one dimension: a number before a name, the second's first}
   */
  static DimensionSize both(DimensionSize first, DimensionSize second) {
    return switch (second) {
      case Known known -> known;
      case Named named -> first instanceof Known ? first : named;
      case Unnamed unnamed -> first;
    };
  }
}
