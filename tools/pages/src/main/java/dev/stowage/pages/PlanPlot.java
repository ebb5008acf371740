package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.LoadPeak;
import dev.stowage.plan.explain.LoadProfile;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** The map of the best plan in a drawing, with its axes, its load and its levels. */
final class PlanPlot {

  private final PlanPicture picture;
  private final ShownPlan plan;
  private final List<Part> parts;
  private final LoadProfile load;
  private final LoadPeak peak;
  private final DrawnPeaks peaks;
  private final PlotArea area;
  private final PlotArea.Frame frame;
  private final Shades shades;
  private final Svg svg;

  /**
   * Creates a map.
   *
   * @param largestBytes the largest number of bytes on the axis; it also has its unit
   * @param marked the marked records; empty for those that are live at a peak
   */
  PlanPlot(
      PlanPicture picture,
      PlotArea.Frame frame,
      long largestBytes,
      Optional<BitSet> marked,
      Svg svg) {
    this.picture = picture;
    this.plan = picture.best();
    this.parts = Part.of(picture.problem());
    this.load = LoadProfile.of(picture.problem());
    this.peak = picture.peak();
    this.peaks = new DrawnPeaks(picture, peak.tasks());
    this.frame = frame;
    this.area = area(picture, frame, largestBytes);
    this.shades =
        marked
            .map(records -> Shades.of(picture, parts, records))
            .orElseGet(() -> Shades.of(picture, parts, peak.tasks()));
    this.svg = svg;
  }

  private static PlotArea area(PlanPicture picture, PlotArea.Frame frame, long largestBytes) {
    List<TensorUsageRecord> records = picture.problem().records();
    long firstTask = records.stream().mapToLong(TensorUsageRecord::firstTask).min().orElse(0);
    long lastTask = records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(0);
    double taskCount = (double) lastTask - firstTask + 1;
    return new PlotArea(
        frame, new PlotArea.Scale(firstTask, taskCount, 1.05 * Math.max(1, largestBytes)));
  }

  /** {@return the largest number of bytes that the map of a plan needs} */
  static long largestBytes(ShownPlan plan) {
    return Math.max(plan.totalBytes(), plan.boundBytes());
  }

  /** {@return the text of the legend for the peaks} */
  String peaksText() {
    return peaks.text();
  }

  /**
   * Writes the map.
   *
   * @param unit the unit of the axis
   */
  void write(ByteUnit unit) throws IOException {
    writeGrid(unit);
    DrawnMap map = new DrawnMap(picture, parts, area, shades, svg);
    map.writeBoxes();
    writeLoad();
    writeLevels();
    map.writeNames();
    svg.line("axis", frame.left(), frame.bottom(), frame.right(), frame.bottom());
    peaks.write(area, svg);
    svg.line("axis", frame.left(), frame.top(), frame.left(), frame.bottom());
  }

  private void writeGrid(ByteUnit unit) throws IOException {
    double top = area.scale().topBytes() / unit.bytes();
    for (double tick : Ticks.between(0, top, 6, unit.bytes() == 1 ? 1 : 0)) {
      double y = area.y(tick * unit.bytes());
      svg.line("grid", frame.left(), y, frame.right(), y);
      String label = Svg.round(tick, 3) + " " + unit.name();
      svg.text("tick", frame.left() - 6, y + 4, "end", label);
    }
    double endTask = area.scale().firstTask() + area.scale().taskCount();
    for (double tick : Ticks.between((double) area.scale().firstTask(), endTask - 1, 12, 1)) {
      double x = area.x((long) tick);
      svg.line("grid", x, frame.top(), x, frame.bottom());
      svg.text("tick", x, frame.bottom() + 16, "middle", Text.of("%,.0f", tick));
    }
    svg.text("tick", frame.left() - 6, frame.bottom() + 16, "end", "task");
  }

  private void writeLoad() throws IOException {
    if (load.stepCount() == 0) {
      return;
    }
    CharSequence path = new LoadPath(load, area).path();
    svg.path("halo", path);
    svg.path("load", path);
  }

  /** Writes the lower bound, and the total if it differs. */
  private void writeLevels() throws IOException {
    long total = plan.totalBytes();
    long bound = plan.boundBytes();
    if (total == bound) {
      writeLevel("bound", "lower bound", bound, 0);
    } else {
      writeLevel("total", "total", total, total > bound ? -12 : 12);
      writeLevel("bound", "lower bound", bound, total > bound ? 12 : -12);
    }
  }

  /** Writes a line across the plot with its name beside the plot. */
  private void writeLevel(String cssClass, String name, long bytes, double down)
      throws IOException {
    double y = area.y((double) bytes);
    svg.line(cssClass, frame.left(), y, frame.right(), y);
    svg.text(cssClass + "-text", frame.right() + 6, y + down - 2, "start", name);
    svg.text(cssClass + "-text", frame.right() + 6, y + down + 10, "start", ByteUnit.human(bytes));
  }
}
