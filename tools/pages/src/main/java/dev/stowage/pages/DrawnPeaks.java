package dev.stowage.pages;

import dev.stowage.pages.text.Text;
import dev.stowage.plan.explain.LoadPeak.TaskRange;
import java.io.IOException;
import java.util.List;

/** The marks of the peaks below the axis of a drawing, and their text in the legend. */
final class DrawnPeaks {

  /* A peak is a bar as long as its tasks, with a triangle. Peaks closer than APART share a mark. */

  private static final double APART = 2;
  private static final double HALF_WIDTH = 4;

  private final PlanPicture picture;
  private final List<TaskRange> peaks;

  DrawnPeaks(PlanPicture picture, List<TaskRange> peaks) {
    this.picture = picture;
    this.peaks = peaks;
  }

  void write(PlotArea area, Svg svg) throws IOException {
    StringBuilder path = new StringBuilder();
    int peak = 0;
    while (peak < peaks.size()) {
      double from = area.x(peaks.get(peak).firstTask());
      double to = endX(area, peak);
      while (peak + 1 < peaks.size() && area.x(peaks.get(peak + 1).firstTask()) - to < APART) {
        peak++;
        to = endX(area, peak);
      }
      append(path, from, to, area.frame().bottom());
      peak++;
    }
    if (!peaks.isEmpty()) {
      svg.path("peak", path);
    }
  }

  private double endX(PlotArea area, int peak) {
    return Math.min(area.frame().right(), area.endX(peaks.get(peak).lastTask()));
  }

  private static void append(StringBuilder path, double from, double to, double y) {
    String middle = Svg.number((from + to) / 2);
    path.append(
        Text.of(
            "M%s %sH%sv2H%szM%s %sl%s 5h%sz",
            Svg.number(from),
            Svg.number(y),
            Svg.number(to),
            Svg.number(from),
            middle,
            Svg.number(y),
            Svg.number(HALF_WIDTH),
            Svg.number(-2 * HALF_WIDTH)));
  }

  /** {@return the text of the legend} */
  String text() {
    return switch (peaks.size()) {
      case 0 -> "live at the peak";
      case 1 -> "live at the peak, " + name(0);
      case 2 -> "live at a peak, " + name(0) + " or " + name(1);
      default -> Text.of("live at one of %,d peaks, the first at %s", peaks.size(), name(0));
    };
  }

  private String name(int peak) {
    TaskRange tasks = peaks.get(peak);
    return picture.nameOf(tasks.firstTask(), tasks.lastTask());
  }
}
