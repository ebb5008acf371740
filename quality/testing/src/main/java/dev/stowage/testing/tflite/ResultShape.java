package dev.stowage.testing.tflite;

import java.util.List;
import java.util.Locale;
import org.tensorflow.lite.schema.BuiltinOperator;
import org.tensorflow.lite.schema.TensorType;

/**
 * The shape of the result of an operator, by TensorFlow's rules.
 *
 * @param kind the name of the operator in the schema
 * @param tensorName the name of its result
 */
record ResultShape(String kind, String tensorName) {

  private static final int HEIGHT = 1;
  private static final int WIDTH = 2;
  private static final int CHANNELS = 3;

  static ResultShape of(int builtinCode, String tensorName) {
    return new ResultShape(BuiltinOperator.name(builtinCode), tensorName);
  }

  long[] convolution(GraphTensor image, long channels, Window window) {
    checkRank(image, 4);
    long height = window.outputHeight(image.dimension(HEIGHT));
    long width = window.outputWidth(image.dimension(WIDTH));
    if (height < 1 || width < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the window of %s must fit into %s: height=%d, width=%d, dilation=%d",
              operator(),
              image,
              window.height(),
              window.width(),
              window.dilation()));
    }
    return new long[] {image.dimension(0), height, width, channels};
  }

  /** {@return the shape of the result of an operator that keeps channels apart} */
  long[] channelwise(GraphTensor image, Window window) {
    checkRank(image, 4);
    return convolution(image, image.dimension(CHANNELS), window);
  }

  long[] pooling(GraphTensor image, Window window) {
    checkUndilated(window);
    return channelwise(image, window);
  }

  long[] transposedConvolution(GraphTensor image, long channels, Window window) {
    checkRank(image, 4);
    checkUndilated(window);
    long height = window.transposedHeight(image.dimension(HEIGHT));
    long width = window.transposedWidth(image.dimension(WIDTH));
    return new long[] {image.dimension(0), height, width, channels};
  }

  long[] sum(GraphTensor left, GraphTensor right) {
    checkAlike("shapes", left, right, left.shape().equals(right.shape()));
    checkTypes(left, right);
    return left.dimensions();
  }

  long[] concatenation(List<GraphTensor> parts) {
    if (parts.isEmpty() || parts.getFirst().shape().isEmpty()) {
      throw new IllegalArgumentException(operator() + " needs parts with at least one dimension");
    }
    GraphTensor first = parts.getFirst();
    long[] shape = first.dimensions();
    int axis = shape.length - 1;
    shape[axis] = 0;
    for (GraphTensor part : parts) {
      boolean fits =
          part.shape().size() == shape.length
              && part.shape().subList(0, axis).equals(first.shape().subList(0, axis));
      checkAlike("dimensions before the last", first, part, fits);
      checkTypes(first, part);
      shape[axis] += part.dimension(axis);
    }
    return shape;
  }

  long[] resizing(GraphTensor image, long height, long width) {
    checkRank(image, 4);
    return new long[] {image.dimension(0), height, width, image.dimension(CHANNELS)};
  }

  long[] reshaping(GraphTensor input, int[] shape) {
    long[] dimensions = dimensions(shape);
    long elements = GraphTensor.checkedElementCount(tensorName, dimensions);
    if (elements != input.elementCount()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s must keep the number of elements: %s has %d, the new shape has %d",
              operator(),
              input,
              input.elementCount(),
              elements));
    }
    return dimensions;
  }

  long[] meanOfImage(GraphTensor image) {
    checkRank(image, 4);
    return new long[] {image.dimension(0), image.dimension(CHANNELS)};
  }

  long[] fullyConnected(GraphTensor input, long units) {
    checkRank(input, 2);
    return new long[] {input.dimension(0), units};
  }

  static long[] dimensions(int[] shape) {
    long[] dimensions = new long[shape.length];
    for (int i = 0; i < shape.length; i++) {
      dimensions[i] = shape[i];
    }
    return dimensions;
  }

  /** {@return the operator, for messages} */
  private String operator() {
    return kind + " '" + tensorName + "'";
  }

  private void checkRank(GraphTensor tensor, int rank) {
    if (tensor.shape().size() != rank) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s needs a tensor of %d dimensions: %s", operator(), rank, tensor));
    }
  }

  private void checkUndilated(Window window) {
    if (window.dilation() != 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the dilation of %s must be 1: dilation=%d",
              operator(),
              window.dilation()));
    }
  }

  private void checkTypes(GraphTensor left, GraphTensor right) {
    if (left.type() != right.type()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s needs equal types: '%s' is %s, '%s' is %s",
              operator(),
              left.name(),
              TensorType.name(left.type()),
              right.name(),
              TensorType.name(right.type())));
    }
  }

  private void checkAlike(String what, GraphTensor left, GraphTensor right, boolean alike) {
    if (!alike) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s needs equal %s: %s, %s", operator(), what, left, right));
    }
  }
}
