package dev.stowage.tflite;

import java.util.Locale;

/**
 * How a convolution or a pooling moves over an image.
 *
 * @param height rows that it looks at
 * @param width columns that it looks at
 * @param stride rows and columns from one look to the next
 * @param dilation rows and columns from one row or column looked at to the next; pooling has 1
 * @param padding what happens at the edges
 */
public record Window(int height, int width, int stride, int dilation, Padding padding) {

  /**
   * A window with everything that can be said of it.
   *
   * @throws IllegalArgumentException if {@code height}, {@code width}, {@code stride} or {@code
   *     dilation} is below 1
   */
  public Window {
    if (height < 1 || width < 1 || stride < 1 || dilation < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a window has a number below 1: height=%d, width=%d, stride=%d, dilation=%d",
              height,
              width,
              stride,
              dilation));
    }
  }

  /**
   * {@return a square window with stride 1 and dilation 1, padded as {@link Padding#SAME}}
   *
   * @param side its rows and columns
   * @throws IllegalArgumentException if {@code side < 1}
   */
  public static Window of(int side) {
    return of(side, side);
  }

  /**
   * {@return a window with stride 1 and dilation 1, padded as {@link Padding#SAME}}
   *
   * @param height its rows
   * @param width its columns
   * @throws IllegalArgumentException if {@code height < 1} or {@code width < 1}
   */
  public static Window of(int height, int width) {
    return new Window(height, width, 1, 1, Padding.SAME);
  }

  /**
   * {@return this window with another stride}
   *
   * @param newStride rows and columns from one look to the next
   * @throws IllegalArgumentException if {@code newStride < 1}
   */
  public Window withStride(int newStride) {
    return new Window(height, width, newStride, dilation, padding);
  }

  /**
   * {@return this window with another dilation}
   *
   * @param newDilation rows and columns from one looked at to the next
   * @throws IllegalArgumentException if {@code newDilation < 1}
   */
  public Window withDilation(int newDilation) {
    return new Window(height, width, stride, newDilation, padding);
  }

  /** {@return this window, staying inside the image} */
  public Window valid() {
    return new Window(height, width, stride, dilation, Padding.VALID);
  }

  /**
   * {@return how many rows come of {@code inputHeight} rows; below 1 if the window does not fit}
   */
  long outputHeight(int inputHeight) {
    return outputLength(inputHeight, height);
  }

  /** {@return how many columns come of {@code inputWidth} columns; below 1 if it does not fit} */
  long outputWidth(int inputWidth) {
    return outputLength(inputWidth, width);
  }

  /** {@return how many rows a transposed convolution makes of {@code inputHeight} rows} */
  long transposedHeight(int inputHeight) {
    return transposedLength(inputHeight, height);
  }

  /** {@return how many columns a transposed convolution makes of {@code inputWidth} columns} */
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
