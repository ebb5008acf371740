package dev.stowage.pages;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/**
 * A chart of points, each with a cost and a number of bytes. Less is better on both axes.
 *
 * @param across the title of the axis of the costs
 * @param upwards the title of the axis of the bytes
 * @param item the name of a point without a mark
 * @param range the meaning of the bars through points; empty if there are none
 * @param points the points, each of which belongs to a row of a table
 * @param lines lines across the chart
 */
public record ScatterChart(
    String across,
    String upwards,
    String item,
    String range,
    List<Point> points,
    List<Line> lines) {

  /** The mark of a point, which has a shape and a colour of its own. */
  public enum Mark {
    /** A point like most others. */
    NONE,
    /** The point to use. */
    RECOMMENDED,
    /** The point to compare with. */
    BASELINE,
    /** A point whose bytes are no success. */
    FAILED;

    private String style() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A point.
   *
   * @param cost the position on the axis of the costs; not negative
   * @param bytes the position on the axis of the bytes
   * @param lowBytes the low end of a bar through the point; the bytes if there is none
   * @param highBytes the high end of the bar; the bytes if there is none
   * @param mark the mark
   * @param label the text beside the point; empty if there is none
   */
  public record Point(
      long cost, long bytes, long lowBytes, long highBytes, Mark mark, String label) {}

  /**
   * A line at a number of bytes.
   *
   * @param colour the name of a colour of the style, such as {@code bound}
   */
  public record Line(String name, String colour, long bytes) {}

  public ScatterChart {
    points = List.copyOf(points);
    lines = List.copyOf(lines);
  }

  /**
   * {@return the indices of the points that no other one betters, by ascending cost}
   *
   * <p>A point betters another one if it is smaller on one axis and not larger on the other. Of
   * points at the same place, the first one is on the front. Failed points are not.
   */
  List<Integer> front() {
    List<Integer> byCost =
        IntStream.range(0, points.size())
            .filter(i -> points.get(i).mark != Mark.FAILED)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingLong(i -> points.get(i).cost)
                    .thenComparingLong(i -> points.get(i).bytes))
            .toList();
    List<Integer> front = new ArrayList<>();
    for (int i : byCost) {
      if (front.isEmpty() || points.get(i).bytes < points.get(front.getLast()).bytes) {
        front.add(i);
      }
    }
    return front;
  }

  /** {@return the element, which a script fills, and the key} */
  String markup(String id) {
    StringBuilder html =
        new StringBuilder("<div hidden>\n<div class=\"chart scatter\" id=\"" + id + "\"")
            .append(" tabindex=\"0\" role=\"application\" aria-label=\"")
            .append(MarkupText.escaped(upwards + ", over " + across))
            .append("\"></div>\n<p class=\"key\">");
    html.append(key("mark none", "", item));
    if (front().size() > 1) {
      html.append(key("mark front", "", "on the front: no other point is smaller on both axes"));
    }
    for (Point point : points) {
      if (!point.label.isEmpty()) {
        html.append(key("mark " + point.mark.style(), "", point.label));
      }
    }
    if (points.stream().anyMatch(point -> point.mark == Mark.FAILED && point.label.isEmpty())) {
      html.append(key("mark failed", "", "requests fail"));
    }
    if (!range.isEmpty()) {
      html.append(key("mark range", "", range));
    }
    for (Line line : lines) {
      html.append(key("stroke", " style=\"border-color:var(--" + line.colour + ")\"", line.name));
    }
    return html.append("</p>\n</div>\n").toString();
  }

  private static String key(String style, String attributes, String name) {
    return "<span><i class=\""
        + style
        + "\""
        + attributes
        + "></i>"
        + MarkupText.escaped(name)
        + "</span> ";
  }

  /** Writes the data for the script. */
  void write(JsonGenerator json, String id) {
    json.writeStartObject();
    json.writeStringProperty("id", id);
    json.writeStringProperty("across", across);
    json.writeStringProperty("upwards", upwards);
    ScriptJson.column(json, "cost", points, Point::cost);
    ScriptJson.column(json, "bytes", points, Point::bytes);
    ScriptJson.column(json, "low", points, Point::lowBytes);
    ScriptJson.column(json, "high", points, Point::highBytes);
    ScriptJson.column(json, "mark", points.stream().map(point -> point.mark.style()).toList());
    ScriptJson.column(json, "front", front(), Integer::longValue);
    json.writeArrayPropertyStart("labels");
    for (int i = 0; i < points.size(); i++) {
      if (!points.get(i).label.isEmpty()) {
        json.writeStartObject();
        json.writeNumberProperty("point", i);
        json.writeStringProperty("text", points.get(i).label);
        json.writeEndObject();
      }
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("lines");
    for (Line line : lines) {
      json.writeStartObject();
      json.writeStringProperty("name", line.name);
      json.writeStringProperty("colour", line.colour);
      json.writeNumberProperty("bytes", line.bytes);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }
}
