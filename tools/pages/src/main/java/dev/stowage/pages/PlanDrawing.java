package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.LoadPeak;
import dev.stowage.plan.explain.LoadProfile;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;

/** An SVG drawing of the best plan, for documents and slides. */
public final class PlanDrawing {

  /*
   *   title
   *   strategy, total, distance from the lower bound, saving
   *   +--------------------------------------+
   *   | bytes    rectangles, load curve,     |   total,
   *   |          names                       |   lower bound
   *   +--------------------------------------+
   *     tasks, peaks                  legend
   */

  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;

  private final PlanPicture picture;
  private final ShownPlan plan;
  private final List<Part> parts;
  private final LoadProfile load;
  private final LoadPeak peak;
  private final DrawnPeaks peaks;
  private final PlotArea area;
  private final PlotArea.Frame frame;
  private final Svg svg;

  private PlanDrawing(PlanPicture picture, Svg svg) {
    this.picture = picture;
    this.plan = picture.best();
    this.parts = Part.of(picture.problem());
    this.load = LoadProfile.of(picture.problem());
    this.peak = picture.peak();
    this.peaks = new DrawnPeaks(picture, peak.tasks());
    this.area = area(picture);
    this.frame = area.frame();
    this.svg = svg;
  }

  /**
   * Writes a drawing, which declares UTF-8 as its encoding.
   *
   * @param picture the plans, of which the drawing shows the best
   */
  public static void write(PlanPicture picture, Writer out) throws IOException {
    new PlanDrawing(picture, new Svg(out)).write();
  }

  private static PlotArea area(PlanPicture picture) {
    List<TensorUsageRecord> records = picture.problem().records();
    long firstTask = records.stream().mapToLong(TensorUsageRecord::firstTask).min().orElse(0);
    long lastTask = records.stream().mapToLong(TensorUsageRecord::lastTask).max().orElse(0);
    ShownPlan best = picture.best();
    double topBytes = 1.05 * Math.max(1, Math.max(best.totalBytes(), best.boundBytes()));
    double taskCount = (double) lastTask - firstTask + 1;
    return new PlotArea(
        new PlotArea.Frame(66, 70, WIDTH - 66 - 90, HEIGHT - 70 - 56),
        new PlotArea.Scale(firstTask, taskCount, topBytes));
  }

  private void write() throws IOException {
    writeHead();
    writeGrid();
    Shades shades = Shades.of(picture, parts, peak.tasks());
    DrawnMap map = new DrawnMap(picture, parts, area, shades, svg);
    map.writeBoxes();
    writeLoad();
    writeLevels();
    map.writeNames();
    svg.line("axis", frame.left(), frame.bottom(), frame.right(), frame.bottom());
    peaks.write(area, svg);
    svg.line("axis", frame.left(), frame.top(), frame.left(), frame.bottom());
    writeLegend();
    svg.markup("</svg>\n");
  }

  private void writeHead() throws IOException {
    svg.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    svg.markup("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT);
    svg.markup("\" width=\"" + WIDTH + "\" height=\"" + HEIGHT + "\" role=\"img\"");
    svg.markup(" aria-labelledby=\"title caption\">\n");
    svg.markup(
        "<title id=\"title\">" + MarkupText.escaped(Printable.of(picture.title())) + "</title>\n");
    svg.markup("<desc id=\"caption\">" + MarkupText.escaped(caption()) + "</desc>\n");
    writePatterns();
    svg.markup("<style>\n" + PictureText.of("drawing.css") + "</style>\n");
    svg.markup(
        "<rect class=\"ground\" rx=\"6\" " + Svg.box(.5, .5, WIDTH - 1, HEIGHT - 1) + "/>\n");
    svg.text("title", 20, 30, "start", FittingName.of(Printable.of(picture.title()), 500));
    svg.text("caption", 20, 50, "start", caption());
  }

  /** Writes the hatched fills of the tensors that are live at a peak. */
  private void writePatterns() throws IOException {
    svg.markup("<defs>\n");
    for (int shade = 0; shade < Shades.COUNT; shade++) {
      svg.markup(
          "<pattern id=\"hatch"
              + shade
              + "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
              + "<rect class=\"p"
              + shade
              + "\" width=\"6\" height=\"6\"/>"
              + "<path class=\"hatch\" d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/></pattern>\n");
    }
    svg.markup("</defs>\n");
  }

  private String caption() {
    long total = plan.totalBytes();
    long naive = picture.problem().naiveBytes();
    return String.format(
        Locale.ROOT,
        "%s: %s for %,d tensors; %s, %s less than without sharing",
        plan.strategy(),
        ByteUnit.exact(total),
        picture.problem().records().size(),
        plan.isOptimal() ? "optimal" : plan.quality() + " above the lower bound",
        Numbers.percent(naive - total, naive));
  }

  private void writeGrid() throws IOException {
    ByteUnit unit = ByteUnit.unitFor(plan.totalBytes());
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
      svg.text("tick", x, frame.bottom() + 16, "middle", String.format(Locale.ROOT, "%,.0f", tick));
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

  private void writeLegend() throws IOException {
    double y = HEIGHT - 14;
    writeSwatch("b", 66, y);
    svg.text("key", 122, y, "start", "tensor, small to large");
    writeSwatch("o", 250, y);
    svg.text("key", 306, y, "start", FittingName.of(peaks.text(), 334));
    svg.line("load", 640, y - 4, 662, y - 4);
    svg.text("key", 668, y, "start", "live bytes");
    svg.line("bound", 744, y - 4, 766, y - 4);
    svg.text("key", 772, y, "start", "lower bound");
  }

  private void writeSwatch(String hue, double x, double y) throws IOException {
    for (int shade = 0; shade < Shades.COUNT; shade++) {
      String cell = Svg.box(x + 10 * shade, y - 9, 10, 10);
      svg.markup("<rect class=\"" + hue + shade + "\" " + cell + "/>\n");
    }
  }
}
