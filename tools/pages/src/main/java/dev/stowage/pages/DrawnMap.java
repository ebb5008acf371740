package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Printable;
import dev.stowage.pages.text.Text;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import java.io.IOException;
import java.text.Bidi;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The rectangles of a drawing, with their names if they fit. */
final class DrawnMap {

  /*
   * Up to ELEMENTS parts are one element each, with a title that a browser shows as a tooltip. More
   * parts are one path for each colour, and parts thinner than half a pixel are merged. So a drawing
   * of 60,000 tensors has less than a megabyte.
   */

  private static final int ELEMENTS = 2_000;
  private static final double THIN = 0.5;
  private static final double TOOLTIP_WIDTH = 1_200;

  private final PlanPicture picture;
  private final PlotArea area;
  private final Shades shades;
  private final OffsetsAssignment offsets;
  private final Svg svg;
  private final List<Box> boxes;

  DrawnMap(PlanPicture picture, List<Part> parts, PlotArea area, Shades shades, Svg svg) {
    this.picture = picture;
    this.area = area;
    this.shades = shades;
    this.offsets = picture.best().drawn();
    this.svg = svg;
    boxes =
        parts.stream()
            .sorted(Comparator.comparingLong(this::recordBytes).reversed())
            .map(this::box)
            .toList();
  }

  void writeBoxes() throws IOException {
    if (boxes.size() > ELEMENTS) {
      writeMerged();
      return;
    }
    for (Box box : boxes) {
      writeElement(box);
    }
  }

  /** Writes the names, on top of everything drawn since the rectangles. */
  void writeNames() throws IOException {
    if (boxes.size() <= ELEMENTS) {
      for (Box box : boxes) {
        writeName(box);
      }
    }
  }

  private void writeElement(Box box) throws IOException {
    svg.markup("<rect class=\"" + cssClass(box) + "\" ");
    svg.markup(Svg.box(box.x, box.y, box.drawnWidth(), box.drawnHeight()));
    svg.markup("><title>" + MarkupText.escaped(description(box.record)) + "</title></rect>\n");
  }

  private void writeMerged() throws IOException {
    Map<String, PixelGrid> thin = new TreeMap<>();
    Map<String, StringBuilder> paths = new TreeMap<>();
    for (Box box : boxes) {
      if (box.width < THIN || box.height < THIN) {
        thin.computeIfAbsent(cssClass(box), name -> new PixelGrid(area.frame()))
            .mark(box.x, box.y, box.x + box.width, box.y + box.height);
      } else {
        box.append(paths.computeIfAbsent(cssClass(box), name -> new StringBuilder()));
      }
    }
    for (Map.Entry<String, PixelGrid> grid : thin.entrySet()) {
      svg.path(grid.getKey(), grid.getValue().path());
    }
    for (Map.Entry<String, StringBuilder> path : paths.entrySet()) {
      svg.path(path.getKey(), path.getValue());
    }
  }

  private void writeName(Box box) throws IOException {
    boolean isUpright = box.height > box.width && box.width < 40;
    double across = isUpright ? box.width : box.height;
    String name = FittingName.of(name(box.record), isUpright ? box.height : box.width);
    if (across < 12 || name.isEmpty()) {
      return;
    }
    String x = Svg.number(box.x + box.width / 2);
    String y = Svg.number(box.y + box.height / 2);
    String turn = isUpright ? Text.of(" transform=\"rotate(-90 %s %s)\"", x, y) : "";
    svg.markup(
        Text.of(
            "<text class=\"name %s\" x=\"%s\" y=\"%s\"%s>%s</text>\n",
            cssClass(box), x, y, turn, MarkupText.escaped(name)));
  }

  private String description(int index) {
    TensorUsageRecord record = record(index);
    return Text.of(
        "%s: %s%s, %s, offset %,d",
        isolated(FittingName.of(name(index), TOOLTIP_WIDTH)),
        label(index).shape().map(shape -> Printable.of(shape.toString()) + ", ").orElse(""),
        ByteUnit.exact(record.bytes()),
        picture.nameOf(record.firstTask(), record.lastTask()),
        offsets.offset(index));
  }

  /** {@return the name without characters that could hide or reverse other text} */
  private String name(int index) {
    return Printable.of(label(index).name());
  }

  /** {@return a name that does not change the order of the numbers behind it} */
  private static String isolated(String name) {
    return Bidi.requiresBidi(name.toCharArray(), 0, name.length())
        ? "\u2068" + name + "\u2069"
        : name;
  }

  private Box box(Part part) {
    double x = area.x(part.firstTask());
    double y = area.y((double) offsets.offset(part.record()) + part.endByte());
    double bottom = area.y((double) offsets.offset(part.record()) + part.startByte());
    return new Box(part.record(), x, y, area.endX(part.lastTask()) - x, bottom - y);
  }

  private String cssClass(Box box) {
    return shades.cssClass(box.record, record(box.record).bytes());
  }

  private long recordBytes(Part part) {
    return record(part.record()).bytes();
  }

  private TensorUsageRecord record(int index) {
    return picture.problem().records().get(index);
  }

  private RecordLabel label(int index) {
    return picture.labels().get(index);
  }

  /** A part in pixels, with a margin of at least half a pixel to its neighbours. */
  private record Box(int record, double x, double y, double width, double height) {

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
}
