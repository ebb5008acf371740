package dev.stowage.pages;

import dev.stowage.pages.label.RecordLabel;
import dev.stowage.pages.label.TaskLabel;
import dev.stowage.pages.text.ByteUnit;
import dev.stowage.pages.text.Numbers;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.shapes.search.ComparedShape;
import dev.stowage.plan.shapes.search.Excess;
import dev.stowage.plan.shapes.search.LayoutBucket;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** An HTML page of layouts for all shapes that works without a network and other files. */
public record ShapesPage(ShapesPicture picture) implements PagePart {

  /*
   *   shapes.html   the content around the chart
   *   shapes.js     the chart of bytes over shapes
   *
   * The data are columns with an entry for each compared shape:
   *
   *   {"dimensions": [{"name": "", "values": []}], "open": [0], "best": [], "layout": [],
   *    "arena": [], "maximum": 0}
   *
   * "open" has the indices of the dimensions with more than one value. Without buckets, there is no
   * "arena".
   */

  /** Writes a page, which declares UTF-8 as its encoding, and leaves the output open. */
  public static void write(ShapesPicture picture, Writer out) throws IOException {
    PageTemplate.writePage(new ShapesPage(picture), out);
  }

  @Override
  public Head head() {
    return new Head(
        ReportKind.SHAPES, picture.title(), "layouts for all shapes", "Planned", picture.run());
  }

  @Override
  public void fillIn(String place, Writer out) throws IOException {
    switch (place) {
      case "dimensions" -> out.append(MarkupText.escaped(picture.problem().ranges().toString()));
      case "layout" -> out.append(excess(picture.result().layoutExcess()));
      case "buckets" -> out.append(buckets());
      case "maximum" ->
          out.append(excess(picture.result().maximumExcess()))
              .append(": ")
              .append(ByteUnit.human(picture.result().maximum().arenaBytes()));
      case "proved" ->
          out.append(Numbers.grouped(picture.result().provedCount()))
              .append(" of ")
              .append(Numbers.grouped(picture.result().shapes().size()));
      case "sample" -> out.append(sample());
      case "rows" -> writeBucketRows(out);
      case "heads" -> writeHeads(out);
      case "records" -> writeRecords(out);
      default -> throw new AssertionError("the page of layouts has no part named " + place);
    }
  }

  private static String excess(Excess excess) {
    return String.format(
        Locale.ROOT,
        "%s on average, at most %s",
        MarkupText.escaped(Numbers.excess(excess.average())),
        MarkupText.escaped(Numbers.excess(excess.maximum())));
  }

  private String buckets() {
    return hasBuckets()
        ? String.format(
            Locale.ROOT,
            "%d: %s",
            picture.result().buckets().size(),
            excess(picture.result().bucketArenaExcess()))
        : "none";
  }

  private String sample() {
    long shapes = picture.problem().ranges().shapeCount();
    String compared = Numbers.grouped(picture.result().shapes().size());
    return picture.result().hasAllShapes()
        ? "all " + compared + " shapes"
        : String.format(
            Locale.ROOT,
            "a sample of %s of %s shapes that has the corners",
            compared,
            shapes == Long.MAX_VALUE ? "over 2^63" : Numbers.grouped(shapes));
  }

  private void writeBucketRows(Writer out) throws IOException {
    for (LayoutBucket bucket : picture.result().buckets()) {
      out.append("<tr><th scope=\"row\">")
          .append(MarkupText.escaped(bucket.ranges().toString()))
          .append("</th><td>")
          .append(ByteUnit.exact(bucket.arenaBytes()))
          .append("</td></tr>\n");
    }
  }

  private void writeHeads(Writer out) throws IOException {
    for (LayoutBucket bucket : picture.result().buckets()) {
      out.append("<th scope=\"col\">Offset")
          .append(hasBuckets() ? ", " + MarkupText.escaped(bucket.ranges().toString()) : "")
          .append("</th>");
    }
  }

  private void writeRecords(Writer out) throws IOException {
    for (int i = 0; i < picture.problem().records().size(); i++) {
      SymbolicRecord record = picture.problem().records().get(i);
      RecordLabel label = picture.labels().get(i);
      out.append("<tr><td>" + i + "</td><th scope=\"row\">")
          .append(MarkupText.escaped(label.name()))
          .append("</th><td>" + MarkupText.escaped(tasks(record)) + "</td><td>")
          .append(MarkupText.escaped(record.bytes().toString()))
          .append("</td>");
      for (LayoutBucket bucket : picture.result().buckets()) {
        out.append("<td>")
            .append(MarkupText.escaped(bucket.layout().offsets().get(i).toString()))
            .append("</td>");
      }
      out.append("</tr>\n");
    }
  }

  private String tasks(SymbolicRecord record) {
    return TaskLabel.cell(record.firstTask(), picture.tasks())
        + " to "
        + TaskLabel.cell(record.lastTask(), picture.tasks());
  }

  private boolean hasBuckets() {
    return picture.result().buckets().size() > 1;
  }

  @Override
  public void writeData(JsonGenerator json) {
    List<ComparedShape> shapes = picture.result().shapes();
    List<DimensionRange> ranges = picture.problem().ranges().ranges();
    json.writeStartObject();
    json.writeArrayPropertyStart("dimensions");
    for (DimensionRange range : ranges) {
      json.writeStartObject();
      json.writeStringProperty("name", range.name());
      ScriptJson.column(json, "values", shapes, shape -> shape.shape().get(range.name()));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("open");
    for (int i = 0; i < ranges.size(); i++) {
      if (ranges.get(i).first() < ranges.get(i).last()) {
        json.writeNumber(i);
      }
    }
    json.writeEndArray();
    ScriptJson.column(json, "best", shapes, ComparedShape::bestBytes);
    ScriptJson.column(json, "layout", shapes, ComparedShape::layoutBytes);
    if (hasBuckets()) {
      ScriptJson.column(json, "arena", shapes, ComparedShape::bucketArenaBytes);
    }
    json.writeNumberProperty("maximum", picture.result().maximum().arenaBytes());
    json.writeEndObject();
  }
}
