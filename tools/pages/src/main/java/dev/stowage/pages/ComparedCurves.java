package dev.stowage.pages;

import java.util.List;

/**
 * Curves of bytes over the events of two histories, side by side with one scale of bytes.
 *
 * @param label the label of the axis
 */
public record ComparedCurves(String label, History a, History b) {

  /**
   * The curves of a history.
   *
   * @param places the positions on the axis, ascending
   * @param titles the name of each position
   * @param curves the curves; the first one is in front
   * @param mark the position of a line across the curves
   */
  public record History(
      String caption, List<Long> places, List<String> titles, List<Line> curves, long mark) {

    public History {
      places = List.copyOf(places);
      titles = List.copyOf(titles);
      curves = List.copyOf(curves);
    }

    private long mostBytes() {
      return curves.stream()
          .flatMap(curve -> curve.bytes().stream())
          .mapToLong(Long::longValue)
          .max()
          .orElse(1);
    }
  }

  /**
   * A curve.
   *
   * @param colour the name of a colour of the style, such as {@code load}
   * @param bytes the bytes at each position
   */
  public record Line(String name, String colour, List<Long> bytes) {

    public Line {
      bytes = List.copyOf(bytes);
    }
  }

  /** {@return the largest number of bytes of all curves} */
  long mostBytes() {
    return Math.max(a.mostBytes(), b.mostBytes());
  }
}
