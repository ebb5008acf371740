package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The area of a drawing, with numbers from left to right and bytes from bottom to top.
 *
 * @param frame the place in the drawing
 * @param across the numbers at the left and the right edge
 * @param upwards the bytes at the lower and the upper edge
 */
record PlotArea(Frame frame, Range across, Range upwards) {

  /** The place of an area in pixels. */
  record Frame(double left, double top, double width, double height) {

    double right() {
      return left + width;
    }

    double bottom() {
      return top + height;
    }
  }

  /** Numbers from one to a larger one; doubles, because the tasks of a plan can exceed a long. */
  record Range(double from, double to) {

    double share(double value) {
      return (value - from) / (to - from);
    }
  }

  /**
   * A line across the area at a number of bytes.
   *
   * @param style the class in the style sheet, such as {@code bound}
   */
  record Level(String name, String style, long bytes) {}

  double x(double value) {
    return frame.left + across.share(value) * frame.width;
  }

  double x(long value) {
    return x((double) value);
  }

  double y(long bytes) {
    return y((double) bytes);
  }

  double y(double bytes) {
    return frame.top + (1 - upwards.share(bytes)) * frame.height;
  }

  /** Writes lines and numbers of bytes in a unit. */
  void writeBytes(ByteUnit unit, Svg svg) throws IOException {
    double scale = unit.bytes();
    for (double tick :
        Ticks.between(upwards.from / scale, upwards.to / scale, 6, unit.bytes() == 1 ? 1 : 0)) {
      double y = y(tick * scale);
      svg.line("grid", frame.left, y, frame.right(), y);
      svg.text("tick", frame.left - 6, y + 4, "end", Svg.round(tick, 3) + " " + unit.name());
    }
  }

  /** Writes lines and numbers below the area. */
  void writeNumbers(List<Double> ticks, DoubleFunction<String> text, Svg svg) throws IOException {
    for (double tick : ticks) {
      double x = x(tick);
      svg.line("grid", x, frame.top, x, frame.bottom());
      svg.text("tick", x, frame.bottom() + 16, "middle", text.apply(tick));
    }
  }

  /** Writes the lower and the left edge. */
  void writeEdges(Svg svg) throws IOException {
    svg.line("axis", frame.left, frame.bottom(), frame.right(), frame.bottom());
    svg.line("axis", frame.left, frame.top, frame.left, frame.bottom());
  }

  /** Writes lines with their names and bytes beside the area, from top to bottom. */
  void writeLevels(List<Level> levels, Svg svg) throws IOException {
    double free = frame.top - 10;
    for (Level level :
        levels.stream().sorted(Comparator.comparingLong(Level::bytes).reversed()).toList()) {
      double y = y((double) level.bytes);
      svg.line(level.style, frame.left, y, frame.right(), y);
      double first = Math.max(free, y - 2);
      svg.text(level.style + "-text", frame.right() + 6, first, "start", level.name);
      String bytes = ByteUnit.human(level.bytes);
      svg.text(level.style + "-text", frame.right() + 6, first + 12, "start", bytes);
      free = first + 26;
    }
  }
}
