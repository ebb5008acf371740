package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;

/**
 * The area of a drawing, with whole numbers from left to right and bytes from bottom to top.
 *
 * @param frame the place in the drawing
 * @param from the number at the left edge
 * @param to the number at the right edge; a double, because the tasks of a plan can exceed a long
 * @param topBytes the bytes at the upper edge
 */
record PlotArea(Frame frame, double from, double to, double topBytes) {

  /** The number of ticks of an axis, at most. */
  private static final int TICKS_ACROSS = 12;

  private static final int TICKS_UPWARDS = 6;

  /** The place of an area in pixels. */
  record Frame(double left, double top, double width, double height) {

    double right() {
      return left + width;
    }

    double bottom() {
      return top + height;
    }
  }

  double x(double value) {
    return frame.left + (value - from) / (to - from) * frame.width;
  }

  double y(double bytes) {
    return frame.top + (1 - bytes / topBytes) * frame.height;
  }

  /** Writes lines and numbers of both axes, with the bytes in a unit. */
  void writeGrid(ByteUnit unit, Svg svg) {
    double scale = unit.bytes();
    for (double tick :
        Ticks.between(0, topBytes / scale, TICKS_UPWARDS, unit.bytes() == 1 ? 1 : 0)) {
      double y = y(tick * scale);
      svg.line("grid", frame.left, y, frame.right(), y);
      svg.text("tick", frame.left - 6, y + 4, "end", Svg.round(tick, 3) + " " + unit.name());
    }
    for (double tick : Ticks.between(from, to - 1, TICKS_ACROSS, 1)) {
      double x = x(tick);
      svg.line("grid", x, frame.top, x, frame.bottom());
      svg.text("tick", x, frame.bottom() + 16, "middle", Numbers.grouped((long) tick));
    }
  }

  /** Writes the lower and the left edge. */
  void writeEdges(Svg svg) {
    svg.line("axis", frame.left, frame.bottom(), frame.right(), frame.bottom());
    svg.line("axis", frame.left, frame.top, frame.left, frame.bottom());
  }
}
