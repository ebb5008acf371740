package dev.stowage.testing.tflite;

import java.util.Locale;

/**
 * The window of a convolution or pooling over an image.
 *
 * @param height the rows of the window
 * @param width the columns of the window
 * @param stride the rows and columns between two positions of the window
 * @param dilation the rows and columns between two elements of the window; 1 for pooling
 * @param padding the padding of the image
 */
public record Window(int height, int width, int stride, int dilation, Padding padding) {

  /**
   * Creates a window.
   *
   * @throws IllegalArgumentException if {@code height}, {@code width}, {@code stride} or {@code
   *     dilation} is below 1
   */
  public Window {
    if (height < 1 || width < 1 || stride < 1 || dilation < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the numbers of a window must be 1 or more: height=%d, width=%d, stride=%d, dilation=%d",
              height,
              width,
              stride,
              dilation));
    }
  }

  /**
   * {@return a square window with stride 1 and dilation 1, padded as {@link Padding#SAME}}
   *
   * @param side the rows and columns
   * @throws IllegalArgumentException if {@code side < 1}
   */
  public static Window of(int side) {
    return of(side, side);
  }

  /**
   * {@return a window with stride 1 and dilation 1, padded as {@link Padding#SAME}}
   *
   * @param height the rows
   * @param width the columns
   * @throws IllegalArgumentException if {@code height < 1} or {@code width < 1}
   */
  public static Window of(int height, int width) {
    return new Window(height, width, 1, 1, Padding.SAME);
  }

  /**
   * {@return this window with another stride}
   *
   * @param newStride the rows and columns between two positions of the window
   * @throws IllegalArgumentException if {@code newStride < 1}
   */
  public Window withStride(int newStride) {
    return new Window(height, width, newStride, dilation, padding);
  }

  /**
   * {@return this window with another dilation}
   *
   * @param newDilation the rows and columns between two elements of the window
   * @throws IllegalArgumentException if {@code newDilation < 1}
   */
  public Window withDilation(int newDilation) {
    return new Window(height, width, stride, newDilation, padding);
  }

  /** {@return this window without padding} */
  public Window valid() {
    return new Window(height, width, stride, dilation, Padding.VALID);
  }

  /**
   * {@return the rows of the output for {@code inputHeight} rows; below 1 if the window does not
   * fit}
   */
  long outputHeight(int inputHeight) {
    return outputLength(inputHeight, height);
  }

  /**
   * {@return the columns of the output for {@code inputWidth} columns; below 1 if it does not fit}
   */
  long outputWidth(int inputWidth) {
    return outputLength(inputWidth, width);
  }

  /** {@return the rows of the output of a transposed convolution for {@code inputHeight} rows} */
  long transposedHeight(int inputHeight) {
    return transposedLength(inputHeight, height);
  }

  /**
   * {@return the columns of the output of a transposed convolution for {@code inputWidth} columns}
   */
  long transposedWidth(int inputWidth) {
    return transposedLength(inputWidth, width);
  }

  private long outputLength(int inputLength, int windowLength) {
    long covered =
        switch (padding) {
          case SAME -> 1;
          case VALID -> (windowLength - 1L) * dilation + 1;
        };
    return Math.floorDiv(inputLength - covered, stride) + 1;
  }

  private long transposedLength(int inputLength, int windowLength) {
    long strides = (long) inputLength * stride;
    return switch (padding) {
      case SAME -> strides;
      case VALID -> strides + Math.max(windowLength - stride, 0);
    };
  }
}
