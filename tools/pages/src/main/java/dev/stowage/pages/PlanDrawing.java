package dev.stowage.pages;

import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.LoadPeak.TaskRange;
import dev.stowage.plan.explain.LoadProfile;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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
   *
   * The rectangles of one colour are one path.
   */

  private static final int WIDTH = 900;
  private static final int HEIGHT = 420;
  private static final PlotArea.Frame FRAME =
      new PlotArea.Frame(66, 70, WIDTH - 66 - 90, HEIGHT - 70 - 56);

  private static final int SHADES = 5;

  /** Peaks closer than some pixels share a mark. */
  private static final double APART = 2;

  private final PlanPicture picture;
  private final ShownPlan plan;
  private final List<Part> parts;
  private final PlotArea area;
  private final BitSet marked;
  private final double leastBytes;
  private final double shadeSpan;
  private final Svg svg = new Svg();

  private PlanDrawing(PlanPicture picture, BitSet marked, long topBytes) {
    this.picture = picture;
    this.plan = picture.best();
    List<TensorUsageRecord> records = picture.problem().records();
    this.parts =
        Part.of(picture.problem()).stream()
            .sorted(Comparator.comparingLong(Part::bytes).reversed())
            .toList();
    double first = records.stream().mapToDouble(TensorUsageRecord::firstTask).min().orElse(0);
    double last = records.stream().mapToDouble(TensorUsageRecord::lastTask).max().orElse(0);
    this.area =
        new PlotArea(FRAME, first, last + 1, 1.05 * Math.max(1, Math.max(topBytes, mostBytes())));
    this.marked = marked;
    leastBytes = Math.max(1, parts.isEmpty() ? 1 : parts.getLast().bytes());
    shadeSpan = Math.log(parts.isEmpty() ? 1 : parts.getFirst().bytes() / leastBytes);
  }

  /** {@return a drawing of the best plan, which declares UTF-8 as its encoding} */
  public static String of(PlanPicture picture) {
    List<TaskRange> peaks = picture.peak().tasks();
    if (peaks.isEmpty()) {
      return marked(picture, new BitSet(), "live at the peak", 0);
    }
    TaskRange peak = peaks.getFirst();
    BitSet live = new BitSet();
    for (Part part : Part.of(picture.problem())) {
      if (part.firstTask() <= peak.firstTask() && peak.firstTask() <= part.lastTask()) {
        live.set(part.record());
      }
    }
    return marked(picture, live, "live at the peak", 0);
  }

  /**
   * {@return a drawing of the best plan with marks on some tensors}
   *
   * @param marked the indices of the marked records
   * @param marks the reason for the marks
   * @param topBytes the bytes at the top; drawings to compare have the same. The drawing has more
   *     if the plan needs more
   */
  public static String marked(PlanPicture picture, BitSet marked, String marks, long topBytes) {
    PlanDrawing drawing = new PlanDrawing(picture, marked, topBytes);
    drawing.writeHead();
    drawing.writePlot();
    drawing.writeLegend(marks);
    drawing.svg.markup("</svg>\n");
    return drawing.svg.toString();
  }

  private long mostBytes() {
    return Math.max(plan.totalBytes(), plan.boundBytes());
  }

  private void writeHead() {
    String title = Printable.of(picture.title());
    svg.markup("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    svg.markup("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + WIDTH + " " + HEIGHT);
    svg.markup("\" width=\"" + WIDTH + "\" height=\"" + HEIGHT + "\" role=\"img\"");
    svg.markup(" aria-labelledby=\"title caption\">\n");
    svg.markup("<title id=\"title\">" + MarkupText.escaped(title) + "</title>\n");
    svg.markup("<desc id=\"caption\">" + MarkupText.escaped(caption()) + "</desc>\n");
    svg.markup("<style>\n" + PictureText.drawingStyle() + "</style>\n");
    svg.markup(
        "<rect class=\"ground\" rx=\"6\" " + Svg.box(.5, .5, WIDTH - 1, HEIGHT - 1) + "/>\n");
    svg.text("title", 20, 30, "start", FittingName.of(title, 500));
    svg.text("caption", 20, 50, "start", caption());
  }

  private String caption() {
    long total = plan.totalBytes();
    long naive = picture.problem().naiveBytes();
    return Text.of(
        "%s: %s for %,d tensors; %s, %s less than without sharing",
        plan.strategy(),
        ByteUnit.exact(total),
        picture.problem().records().size(),
        plan.isOptimal() ? "optimal" : plan.quality() + " above the lower bound",
        Numbers.percent(naive - total, naive));
  }

  private void writePlot() {
    area.writeGrid(ByteUnit.unitFor(mostBytes()), svg);
    svg.text("tick", FRAME.left() - 6, FRAME.bottom() + 16, "end", "task");
    Map<String, StringBuilder> boxes = new TreeMap<>();
    for (Part part : parts) {
      String cssClass = shade(part);
      box(part).append(boxes.computeIfAbsent(cssClass, _ -> new StringBuilder()));
    }
    boxes.forEach(svg::path);
    writeLoad();
    writeLevels();
    parts.forEach(this::writeName);
    writePeaks();
    area.writeEdges(svg);
  }

  /** Writes lines at the total and the lower bound, with their labels beside the area. */
  private void writeLevels() {
    double label = area.y((double) plan.totalBytes()) - 2;
    if (plan.totalBytes() != plan.boundBytes()) {
      writeLevel("total", "total", plan.totalBytes(), label);
      label += 26;
    }
    double bound = area.y((double) plan.boundBytes()) - 2;
    writeLevel("lower bound", "bound", plan.boundBytes(), Math.max(label, bound));
  }

  private void writeLevel(String name, String style, long bytes, double label) {
    double y = area.y((double) bytes);
    svg.line(style, FRAME.left(), y, FRAME.right(), y);
    svg.text(style + "-text", FRAME.right() + 6, label, "start", name);
    svg.text(style + "-text", FRAME.right() + 6, label + 12, "start", ByteUnit.human(bytes));
  }

  /**
   * {@return the class of a part in the style sheet: orange if marked, else blue, in shades by the
   * logarithm of the bytes}
   */
  private String shade(Part part) {
    double above = Math.log(part.bytes() / leastBytes);
    int shade =
        shadeSpan == 0 ? SHADES / 2 : Math.min(SHADES - 1, (int) (SHADES * above / shadeSpan));
    return (marked.get(part.record()) ? "o" : "b") + shade;
  }

  private Box box(Part part) {
    double offset = plan.drawn().offset(part.record());
    double x = area.x((double) part.firstTask());
    double y = area.y(offset + part.endByte());
    return new Box(x, y, area.x(part.lastTask() + 1.0) - x, area.y(offset + part.startByte()) - y);
  }

  /** A part in pixels. Large ones have a margin to their neighbours. */
  private record Box(double x, double y, double width, double height) {

    private static double drawn(double length) {
      return Math.max(length > 4 ? length - 0.8 : length, 0.3);
    }

    void append(StringBuilder path) {
      String across = Svg.number(drawn(width));
      path.append('M').append(Svg.number(x)).append(' ').append(Svg.number(y));
      path.append('h').append(across).append('v').append(Svg.number(drawn(height)));
      path.append("h-").append(across).append('z');
    }
  }

  private void writeName(Part part) {
    Box box = box(part);
    boolean isUpright = box.height > box.width && box.width < 40;
    if ((isUpright ? box.width : box.height) < 12) {
      return;
    }
    String name = Printable.of(picture.labels().get(part.record()).name());
    String fitting = FittingName.of(name, isUpright ? box.height : box.width);
    if (fitting.isEmpty()) {
      return;
    }
    String x = Svg.number(box.x + box.width / 2);
    String y = Svg.number(box.y + box.height / 2);
    svg.markup(
        Text.of(
            "<text class=\"name %s\" x=\"%s\" y=\"%s\"%s>%s</text>\n",
            shade(part),
            x,
            y,
            isUpright ? Text.of(" transform=\"rotate(-90 %s %s)\"", x, y) : "",
            MarkupText.escaped(fitting)));
  }

  /** Writes the load curve; each column of pixels has its largest load. */
  private void writeLoad() {
    LoadProfile load = LoadProfile.of(picture.problem());
    if (load.stepCount() == 0) {
      return;
    }
    StringBuilder path =
        new StringBuilder("M" + Svg.number(area.x((double) load.firstTask(0))) + " ");
    path.append(Svg.number(FRAME.bottom()));
    for (int step = 0; step < load.stepCount(); ) {
      double x = area.x((double) load.firstTask(step));
      long largest = 0;
      while (step < load.stepCount() && area.x((double) load.firstTask(step)) <= x + 0.5) {
        largest = Math.max(largest, load.bytes(step++));
      }
      path.append('H')
          .append(Svg.number(x))
          .append('V')
          .append(Svg.number(area.y((double) largest)));
    }
    path.append('V').append(Svg.number(area.y((double) load.bytes(load.stepCount() - 1))));
    path.append('H').append(Svg.number(FRAME.right()));
    svg.path("halo", path);
    svg.path("load", path);
  }

  /** Writes a triangle below each peak. */
  private void writePeaks() {
    double before = Double.NEGATIVE_INFINITY;
    for (TaskRange peak : picture.peak().tasks()) {
      double x = (area.x((double) peak.firstTask()) + area.x(peak.lastTask() + 1.0)) / 2;
      if (x - before >= APART) {
        String top = Svg.number(FRAME.bottom());
        svg.path("peak", Text.of("M%s %sl4 5h-8z", Svg.number(x), top));
        before = x;
      }
    }
  }

  private void writeLegend(String marks) {
    double y = HEIGHT - 14;
    writeSwatch("b", 66, y);
    svg.text("key", 122, y, "start", "tensor, small to large");
    writeSwatch("o", 250, y);
    svg.text("key", 306, y, "start", FittingName.of(marks, 334));
    svg.line("load", 640, y - 4, 662, y - 4);
    svg.text("key", 668, y, "start", "live bytes");
    svg.line("bound", 744, y - 4, 766, y - 4);
    svg.text("key", 772, y, "start", "lower bound");
  }

  private void writeSwatch(String hue, double x, double y) {
    for (int shade = 0; shade < SHADES; shade++) {
      String cell = Svg.box(x + 10 * shade, y - 9, 10, 10);
      svg.markup("<rect class=\"" + hue + shade + "\" " + cell + "/>\n");
    }
  }
}
