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
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** An HTML page of layouts for all shapes that works without a network and other files. */
public final class ShapesPage implements PagePart {

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

  private final ShapesPicture picture;
  private final LayoutSearchResult result;
  private final Writer out;
  private final PageTemplate template;

  private ShapesPage(ShapesPicture picture, Writer out) {
    this.picture = picture;
    this.result = picture.result();
    this.out = out;
    template = new PageTemplate(out, this::fillIn);
  }

  /**
   * Writes a page, which declares UTF-8 as its encoding.
   *
   * @param picture the layouts
   * @param out the output, which stays open
   * @throws IOException if {@code out} throws it
   */
  public static void write(ShapesPicture picture, Writer out) throws IOException {
    new ShapesPage(picture, out).template.write("page.html");
  }

  /** {@return the page as a part of a report} */
  static PagePart part(ShapesPicture picture, Writer out) {
    return new ShapesPage(picture, out);
  }

  @Override
  public ReportKind kind() {
    return ReportKind.SHAPES;
  }

  @Override
  public void writeBody() throws IOException {
    template.write("shapes.html");
  }

  @Override
  public void writeData() throws IOException {
    ScriptJson.write(out, this::writeJson);
  }

  private void fillIn(String place) throws IOException {
    switch (place) {
      case "title" -> out.append(MarkupText.escaped(picture.title()));
      case "subject" -> out.append("layouts for all shapes");
      case "made" -> out.append("Planned");
      case "body" -> writeBody();
      case "dimensions" -> out.append(MarkupText.escaped(picture.problem().ranges().toString()));
      case "layout" -> out.append(excess(result.layoutExcess()));
      case "buckets" -> out.append(buckets());
      case "maximum" ->
          out.append(excess(result.maximumExcess()))
              .append(": ")
              .append(ByteUnit.human(result.maximum().arenaBytes()));
      case "proved" ->
          out.append(Numbers.grouped(result.provedCount()))
              .append(" of ")
              .append(Numbers.grouped(result.shapes().size()));
      case "sample" -> out.append(sample());
      case "rows" -> writeBucketRows();
      case "heads" -> writeHeads();
      case "records" -> writeRecords();
      case "data" -> writeData();
      case "library" -> out.append(PictureText.d3());
      case "drawn" -> out.append(PageTemplate.DRAWN);
      case "script" -> template.writeScripts(PageTemplate.CHART, "shapes.js");
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
            Locale.ROOT, "%d: %s", result.buckets().size(), excess(result.bucketArenaExcess()))
        : "none";
  }

  private String sample() {
    long shapes = picture.problem().ranges().shapeCount();
    String compared = Numbers.grouped(result.shapes().size());
    return result.hasAllShapes()
        ? "all " + compared + " shapes"
        : String.format(
            Locale.ROOT,
            "a sample of %s of %s shapes that has the corners",
            compared,
            shapes == Long.MAX_VALUE ? "over 2^63" : Numbers.grouped(shapes));
  }

  private void writeBucketRows() throws IOException {
    for (LayoutBucket bucket : result.buckets()) {
      out.append("<tr><th scope=\"row\">")
          .append(MarkupText.escaped(bucket.ranges().toString()))
          .append("</th><td>")
          .append(ByteUnit.exact(bucket.arenaBytes()))
          .append("</td></tr>\n");
    }
  }

  private void writeHeads() throws IOException {
    for (LayoutBucket bucket : result.buckets()) {
      out.append("<th scope=\"col\">Offset")
          .append(hasBuckets() ? ", " + MarkupText.escaped(bucket.ranges().toString()) : "")
          .append("</th>");
    }
  }

  private void writeRecords() throws IOException {
    for (int i = 0; i < picture.problem().records().size(); i++) {
      SymbolicRecord record = picture.problem().records().get(i);
      RecordLabel label = picture.labels().get(i);
      out.append("<tr><td>" + i + "</td><th scope=\"row\">")
          .append(MarkupText.escaped(label.name()))
          .append("</th><td>" + MarkupText.escaped(tasks(record)) + "</td><td>")
          .append(MarkupText.escaped(record.bytes().toString()))
          .append("</td>");
      for (LayoutBucket bucket : result.buckets()) {
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
    return result.buckets().size() > 1;
  }

  private void writeJson(JsonGenerator json) {
    List<ComparedShape> shapes = result.shapes();
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
    json.writeNumberProperty("maximum", result.maximum().arenaBytes());
    json.writeEndObject();
  }
}
