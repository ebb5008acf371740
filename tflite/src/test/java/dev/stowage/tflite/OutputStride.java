package dev.stowage.tflite;

/**
 * Hands out the windows of a network's layers, so that an image shrinks to no less than 1/largest.
 *
 * <p>A stride that would shrink it further becomes a dilation of the layers behind, which then look
 * at the same distances ("atrous" convolution).
 */
final class OutputStride {

  private final int largest;
  private int soFar = 1;
  private int dilation = 1;

  OutputStride(int largest) {
    this.largest = largest;
  }

  /** {@return the next layer's window of 3 by 3} */
  Window next(int stride) {
    Window window = Window.of(3).withDilation(dilation);
    if (soFar * stride > largest) {
      dilation *= stride;
      return window;
    }
    soFar *= stride;
    return window.withStride(stride);
  }
}
