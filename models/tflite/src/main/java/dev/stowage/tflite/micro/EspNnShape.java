package dev.stowage.tflite.micro;

import dev.stowage.plan.MalformedFileException;
import dev.stowage.tflite.model.Convolution;
import dev.stowage.tflite.model.TfliteType;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.tensorflow.lite.schema.BuiltinOperator;

/**
 * The arguments with which a kernel asks ESP-NN for the size of a scratch buffer.
 *
 * <p>Source: {@code tensorflow/lite/micro/kernels/esp_nn/{conv,depthwise_conv,softmax}.cc} of
 * esp-tflite-micro 1.4.0. Its other kernels request no such buffers.
 *
 * @param input the columns and rows of the input
 * @param channels the channels of the input
 * @param filter the columns and rows of the filter
 * @param output the columns and rows of the result
 * @param outputChannels the channels of the result
 * @param stride the columns and rows from one position of the filter to the next
 * @param padding the columns to the left of the input, and the rows above it
 * @param multiplier the depth multiplier of a depthwise convolution
 */
record EspNnShape(
    Size input,
    long channels,
    Size filter,
    Size output,
    long outputChannels,
    Size stride,
    Size padding,
    long multiplier) {

  private static final int RANK = 4;
  private static final long UINT16 = 0xFFFF;

  /** Columns and rows. */
  record Size(long width, long height) {

    static Size of(List<Integer> shape, long mask) {
      return new Size(shape.get(2) & mask, shape.get(1) & mask);
    }

    long area() {
      return width * height;
    }

    Size notNegative() {
      return new Size(Math.max(0, width), Math.max(0, height));
    }

    boolean is(long side) {
      return width == side && height == side;
    }

    Size plus(Size more) {
      return new Size(width + more.width, height + more.height);
    }

    Size twice() {
      return plus(this);
    }
  }

  /** {@return the arguments for an operator; empty if its kernel does not ask ESP-NN} */
  static Optional<EspNnShape> of(OperatorTensors tensors) throws MalformedFileException {
    List<Integer> input = tensors.inputShape(0);
    if (tensors.inputType(0) != TfliteType.INT8) {
      return Optional.empty();
    }
    int code = tensors.builtinCode();
    if (code == BuiltinOperator.SOFTMAX) {
      // The kernel passes dimensions 1 and 2 in place of the last one; the height has no effect.
      Size none = new Size(0, 0);
      return input.size() > 1 && tensors.outputType() == TfliteType.INT8
          ? Optional.of(new EspNnShape(new Size(input.get(1), 0), 0, none, none, 0, none, none, 0))
          : Optional.empty();
    }
    boolean isDepthwise = code == BuiltinOperator.DEPTHWISE_CONV_2D;
    List<Integer> filter = tensors.inputShape(1);
    List<Integer> output = tensors.outputShape();
    return (isDepthwise || code == BuiltinOperator.CONV_2D)
            && Stream.of(input, filter, output).allMatch(shape -> shape.size() == RANK)
        ? tensors.operator().convolution().map(it -> of(it, isDepthwise, input, filter, output))
        : Optional.empty();
  }

  /** {@return the arguments; ESP-NN cuts them to 16 bits, except for some sizes of results} */
  private static EspNnShape of(
      Convolution options,
      boolean isDepthwise,
      List<Integer> input,
      List<Integer> filter,
      List<Integer> output) {
    return new EspNnShape(
        Size.of(input, UINT16),
        input.get(3) & UINT16,
        Size.of(filter, UINT16),
        Size.of(output, isDepthwise ? UINT16 : -1),
        output.get(3) & UINT16,
        new Size(options.strideWidth(), options.strideHeight()),
        new Size(
            padding(input, filter, output, 2, options.strideWidth(), options.dilationWidth()),
            padding(input, filter, output, 1, options.strideHeight(), options.dilationHeight())),
        options.multiplier());
  }

  /** {@return half of the elements that the filter reads outside of the input, rounded down} */
  private static long padding(
      List<Integer> input,
      List<Integer> filter,
      List<Integer> output,
      int axis,
      long stride,
      long dilation) {
    long end = (output.get(axis) - 1) * stride + (filter.get(axis) - 1) * dilation + 1;
    return Math.max(0, end - input.get(axis)) / 2;
  }

  boolean isPadded() {
    return !padding.is(0);
  }

  /** {@return true for a filter of one element that visits each element of the input} */
  boolean isPointwise() {
    return filter.is(1) && stride.is(1) && !isPadded();
  }

  /** {@return the elements of one row of a filter} */
  long filterRow() {
    return filter.width * channels;
  }

  /** {@return the elements of one filter} */
  long window() {
    return filter.area() * channels;
  }

  /** {@return the part of the filter outside of the input, one position after the last one} */
  Size overhang() {
    return new Size(
        output.width * stride.width + filter.width - 1 - input.width,
        output.height * stride.height + filter.height - 1 - input.height);
  }

  /** {@return the input with the same padding on opposite sides} */
  Size padded() {
    return input.plus(padding.twice());
  }

  static long roundedUp(long count, long multiple) {
    return Math.ceilDiv(count, multiple) * multiple;
  }
}
