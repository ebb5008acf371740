package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.explain.LoadPeak.TaskRange;
import dev.stowage.plan.explain.LoadProfile;
import java.io.IOException;
import java.text.Bidi;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The map of the best plan in a drawing, with its axes, its load and its levels. */
final class PlanPlot {

  /*
   * Up to ELEMENTS parts are one element each, with a title that a browser shows as a tooltip. More
   * parts are one path for each colour.
   */

  private static final int ELEMENTS = 2_000;
  private static final double TOOLTIP_WIDTH = 1_200;

  /** Peaks closer than some pixels share a mark. */
  private static final double APART = 2;

  private final PlanPicture picture;
  private final ShownPlan plan;
  private final List<Part> parts;
  private final List<TaskRange> peaks;
  private final PlotArea area;
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
    List<TensorUsageRecord> records = picture.problem().records();
    this.parts =
        Part.of(picture.problem()).stream()
            .sorted(
                Comparator.<Part>comparingLong(part -> records.get(part.record()).bytes())
                    .reversed())
            .toList();
    this.peaks = picture.peak().tasks();
    double first = records.stream().mapToDouble(TensorUsageRecord::firstTask).min().orElse(0);
    double last = records.stream().mapToDouble(TensorUsageRecord::lastTask).max().orElse(0);
    this.area =
        new PlotArea(
            frame,
            new PlotArea.Range(first, last + 1),
            new PlotArea.Range(0, 1.05 * Math.max(1, largestBytes)));
    this.shades = new Shades(records, marked.orElseGet(this::liveAtPeaks));
    this.svg = svg;
  }

  private BitSet liveAtPeaks() {
    BitSet live = new BitSet();
    for (Part part : parts) {
      int at = indexOfPeak(part.firstTask());
      if (at < peaks.size() && peaks.get(at).firstTask() <= part.lastTask()) {
        live.set(part.record());
      }
    }
    return live;
  }

  /** {@return the index of the first peak that does not end before a task} */
  private int indexOfPeak(long task) {
    int from = 0;
    int to = peaks.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (peaks.get(middle).lastTask() < task) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** {@return the largest number of bytes that the map of a plan needs} */
  static long largestBytes(ShownPlan plan) {
    return Math.max(plan.totalBytes(), plan.boundBytes());
  }

  /** {@return the text of the legend for the peaks} */
  String peaksText() {
    if (peaks.isEmpty()) {
      return "live at the peak";
    }
    TaskRange first = peaks.getFirst();
    String name = picture.nameOf(first.firstTask(), first.lastTask());
    return peaks.size() == 1
        ? "live at the peak, " + name
        : Text.of("live at one of %,d peaks, as at %s", peaks.size(), name);
  }

  /**
   * Writes the map.
   *
   * @param unit the unit of the axis
   */
  void write(ByteUnit unit) throws IOException {
    PlotArea.Frame frame = area.frame();
    area.writeBytes(unit, svg);
    List<Double> ticks = Ticks.between(area.across().from(), area.across().to() - 1, 12, 1);
    area.writeNumbers(ticks, tick -> Numbers.grouped((long) tick), svg);
    svg.text("tick", frame.left() - 6, frame.bottom() + 16, "end", "task");
    writeBoxes();
    writeLoad();
    area.writeLevels(levels(), svg);
    for (Part part : parts.size() <= ELEMENTS ? parts : List.<Part>of()) {
      writeName(box(part), part.record());
    }
    writePeaks();
    area.writeEdges(svg);
  }

  private List<PlotArea.Level> levels() {
    PlotArea.Level bound = new PlotArea.Level("lower bound", "bound", plan.boundBytes());
    return plan.totalBytes() == plan.boundBytes()
        ? List.of(bound)
        : List.of(bound, new PlotArea.Level("total", "total", plan.totalBytes()));
  }

  private void writeBoxes() throws IOException {
    if (parts.size() > ELEMENTS) {
      Map<String, StringBuilder> paths = new TreeMap<>();
      for (Part part : parts) {
        String cssClass = shades.cssClass(part.record());
        box(part).append(paths.computeIfAbsent(cssClass, _ -> new StringBuilder()));
      }
      for (Map.Entry<String, StringBuilder> path : paths.entrySet()) {
        svg.path(path.getKey(), path.getValue());
      }
      return;
    }
    for (Part part : parts) {
      Box box = box(part);
      svg.markup("<rect class=\"" + shades.cssClass(part.record()) + "\" ");
      svg.markup(Svg.box(box.x, box.y, box.drawnWidth(), box.drawnHeight()));
      svg.markup("><title>" + MarkupText.escaped(description(part.record())) + "</title></rect>\n");
    }
  }

  private void writeName(Box box, int record) throws IOException {
    boolean isUpright = box.height > box.width && box.width < 40;
    double across = isUpright ? box.width : box.height;
    String name = FittingName.of(name(record), isUpright ? box.height : box.width);
    if (across < 12 || name.isEmpty()) {
      return;
    }
    String x = Svg.number(box.x + box.width / 2);
    String y = Svg.number(box.y + box.height / 2);
    String turn = isUpright ? Text.of(" transform=\"rotate(-90 %s %s)\"", x, y) : "";
    svg.markup(
        Text.of(
            "<text class=\"name %s\" x=\"%s\" y=\"%s\"%s>%s</text>\n",
            shades.cssClass(record), x, y, turn, MarkupText.escaped(name)));
  }

  private String description(int index) {
    TensorUsageRecord record = picture.problem().records().get(index);
    RecordLabel label = picture.labels().get(index);
    return Text.of(
        "%s: %s%s, %s, offset %,d",
        isolated(FittingName.of(name(index), TOOLTIP_WIDTH)),
        label.shape().map(shape -> Printable.of(shape.toString()) + ", ").orElse(""),
        ByteUnit.exact(record.bytes()),
        picture.nameOf(record.firstTask(), record.lastTask()),
        plan.drawn().offset(index));
  }

  /** {@return the name without characters that could hide or reverse other text} */
  private String name(int index) {
    return Printable.of(picture.labels().get(index).name());
  }

  /** {@return a name that does not change the order of the numbers behind it} */
  private static String isolated(String name) {
    return Bidi.requiresBidi(name.toCharArray(), 0, name.length())
        ? "\u2068" + name + "\u2069"
        : name;
  }

  private Box box(Part part) {
    double offset = plan.drawn().offset(part.record());
    double x = area.x(part.firstTask());
    double y = area.y(offset + part.endByte());
    return new Box(x, y, area.x(part.lastTask() + 1.0) - x, area.y(offset + part.startByte()) - y);
  }

  /** A part in pixels, with a margin of at least half a pixel to its neighbours. */
  private record Box(double x, double y, double width, double height) {

    double drawnWidth() {
      return Math.max(width > 4 ? width - 0.8 : width, 0.3);
    }

    double drawnHeight() {
      return Math.max(height > 4 ? height - 0.8 : height, 0.3);
    }

    void append(StringBuilder path) {
      path.append('M').append(Svg.number(x)).append(' ').append(Svg.number(y));
      path.append('h').append(Svg.number(drawnWidth()));
      path.append('v').append(Svg.number(drawnHeight()));
      path.append('h').append(Svg.number(-drawnWidth())).append('z');
    }
  }

  /** Writes the load curve; each column of pixels has its largest load. */
  private void writeLoad() throws IOException {
    LoadProfile load = LoadProfile.of(picture.problem());
    if (load.stepCount() == 0) {
      return;
    }
    StringBuilder path = new StringBuilder("M" + Svg.number(area.x(load.firstTask(0))) + " ");
    path.append(Svg.number(area.frame().bottom()));
    for (int step = 0; step < load.stepCount(); ) {
      double x = area.x(load.firstTask(step));
      long largest = 0;
      while (step < load.stepCount() && area.x(load.firstTask(step)) <= x + 0.5) {
        largest = Math.max(largest, load.bytes(step++));
      }
      path.append('H').append(Svg.number(x)).append('V').append(Svg.number(area.y(largest)));
    }
    path.append('V').append(Svg.number(area.y(load.bytes(load.stepCount() - 1))));
    path.append('H').append(Svg.number(area.frame().right()));
    svg.path("halo", path);
    svg.path("load", path);
  }

  /** Writes a bar as long as its tasks and a triangle below each peak. */
  private void writePeaks() throws IOException {
    StringBuilder path = new StringBuilder();
    String y = Svg.number(area.frame().bottom());
    double right = area.frame().right();
    for (int peak = 0; peak < peaks.size(); ) {
      double from = area.x(peaks.get(peak).firstTask());
      double to = from;
      while (peak < peaks.size() && area.x(peaks.get(peak).firstTask()) - to < APART) {
        to = Math.min(right, area.x(peaks.get(peak++).lastTask() + 1.0));
      }
      String start = Svg.number(from);
      String middle = Svg.number((from + to) / 2);
      path.append(
          Text.of("M%s %sH%sv2H%szM%s %sl4 5h-8z", start, y, Svg.number(to), start, middle, y));
    }
    if (!peaks.isEmpty()) {
      svg.path("peak", path);
    }
  }
}
