package dev.stowage.pages;

import java.util.BitSet;

/** The pixels of rectangles that are too thin for an element of their own, merged into runs. */
final class PixelGrid {

  private final PlotArea.Frame frame;
  private final int width;
  private final int height;
  private final BitSet pixels = new BitSet();

  PixelGrid(PlotArea.Frame frame) {
    this.frame = frame;
    this.width = (int) Math.ceil(frame.width());
    this.height = (int) Math.ceil(frame.height());
  }

  /** Marks the pixels from {@code (x0, y0)} to {@code (x1, y1)}, at least one. */
  void mark(double x0, double y0, double x1, double y1) {
    int column = pixel(x0 - frame.left(), width);
    int endColumn = Math.max(column + 1, (int) Math.min(width, Math.round(x1 - frame.left())));
    int row = pixel(y0 - frame.top(), height);
    int endRow = Math.max(row + 1, (int) Math.min(height, Math.round(y1 - frame.top())));
    for (int y = row; y < endRow; y++) {
      pixels.set(y * width + column, y * width + endColumn);
    }
  }

  /** {@return the commands of a path over all marked pixels} */
  CharSequence path() {
    StringBuilder path = new StringBuilder();
    for (int y = 0; y < height; y++) {
      int rowEnd = (y + 1) * width;
      int from = pixels.nextSetBit(y * width);
      while (from >= 0 && from < rowEnd) {
        int to = Math.min(rowEnd, pixels.nextClearBit(from));
        append(path, from - y * width, y, to - from);
        from = pixels.nextSetBit(to);
      }
    }
    return path;
  }

  private void append(StringBuilder path, int column, int row, int length) {
    path.append('M').append(Svg.number(frame.left() + column));
    path.append(' ').append(Svg.number(frame.top() + row));
    path.append('h').append(length).append("v1h").append(-length).append('z');
  }

  private static int pixel(double distance, int count) {
    return Math.clamp((int) Math.floor(distance), 0, count - 1);
  }
}
