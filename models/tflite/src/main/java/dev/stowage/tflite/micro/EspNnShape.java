package dev.stowage.tflite.micro;

/**
 * The arguments with which a kernel asks ESP-NN for the size of a scratch buffer.
 *
 * @param inputWidth the columns of the input; the first argument of a softmax
 * @param inputHeight the rows of the input
 * @param inputChannels the channels of the input
 * @param filterWidth the columns of the filter
 * @param filterHeight the rows of the filter
 * @param multiplier the depth multiplier of a depthwise convolution
 * @param outputWidth the columns of the result
 * @param outputHeight the rows of the result
 * @param outputChannels the channels of the result
 * @param strideWidth the columns from one position of the filter to the next
 * @param strideHeight the rows from one position of the filter to the next
 * @param paddingWidth the columns to the left of the input
 * @param paddingHeight the rows above the input
 */
record EspNnShape(
    long inputWidth,
    long inputHeight,
    long inputChannels,
    long filterWidth,
    long filterHeight,
    long multiplier,
    long outputWidth,
    long outputHeight,
    long outputChannels,
    long strideWidth,
    long strideHeight,
    long paddingWidth,
    long paddingHeight) {

  private static final long UINT16 = 0xFFFF;

  /** {@return the arguments of a softmax, of which the height has no effect} */
  static EspNnShape ofSoftmax(long width) {
    return new EspNnShape(width, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }

  /** {@return these arguments as the functions for ESP32-S3 and ESP32-P4 convert them} */
  EspNnShape inUint16() {
    return new EspNnShape(
        inputWidth & UINT16,
        inputHeight & UINT16,
        inputChannels & UINT16,
        filterWidth & UINT16,
        filterHeight & UINT16,
        multiplier & UINT16,
        outputWidth,
        outputHeight,
        outputChannels & UINT16,
        strideWidth & UINT16,
        strideHeight & UINT16,
        paddingWidth & UINT16,
        paddingHeight & UINT16);
  }

  boolean isFilter(long width, long height) {
    return filterWidth == width && filterHeight == height;
  }

  boolean isPadded() {
    return paddingWidth != 0 || paddingHeight != 0;
  }

  /** {@return true for a filter of one element that visits each element of the input} */
  boolean isPointwise() {
    return isFilter(1, 1) && strideWidth == 1 && strideHeight == 1 && !isPadded();
  }

  /** {@return the elements of a filter in one channel} */
  long filterArea() {
    return filterWidth * filterHeight;
  }

  long inputArea() {
    return inputWidth * inputHeight;
  }

  long inputElements() {
    return inputArea() * inputChannels;
  }

  /** {@return the elements of one row of a filter} */
  long filterRow() {
    return filterWidth * inputChannels;
  }

  /** {@return the elements of one filter} */
  long window() {
    return filterHeight * filterRow();
  }

  /** {@return the elements of the input with the same padding on opposite sides; 0 without it} */
  long paddedElements() {
    return isPadded()
        ? (inputWidth + 2 * paddingWidth) * (inputHeight + 2 * paddingHeight) * inputChannels
        : 0;
  }

  static long roundedUp(long count, long multiple) {
    return Math.ceilDiv(count, multiple) * multiple;
  }
}
