package dev.stowage.tflite.micro;

/**
 * The arguments with which a kernel asks ESP-NN for the size of a scratch buffer.
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

  /** Columns and rows. */
  record Size(long width, long height) {

    long area() {
      return width * height;
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

  /** {@return the arguments of a softmax, of which the height has no effect} */
  static EspNnShape ofSoftmax(long width) {
    Size none = new Size(0, 0);
    return new EspNnShape(new Size(width, 0), 0, none, none, 0, none, none, 0);
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

  /** {@return the input with the same padding on opposite sides} */
  Size padded() {
    return input.plus(padding.twice());
  }

  static long roundedUp(long count, long multiple) {
    return Math.ceilDiv(count, multiple) * multiple;
  }
}
