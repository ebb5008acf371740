package dev.stowage.tflite;

import dev.stowage.testing.tflite.Window;

/**
 * The windows of the layers of a network, so that an image shrinks at most to 1/largest.
 *
 * <p>A stride that would shrink it further becomes a dilation of the following layers ("atrous"
 * convolution).
 */
final class OutputStride {

  private final int largest;
  private int soFar = 1;
  private int dilation = 1;

  OutputStride(int largest) {
    this.largest = largest;
  }

  /** {@return the 3 by 3 window of the next layer} */
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
