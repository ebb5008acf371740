package dev.stowage.cli.picture;

import dev.stowage.cli.input.InputFile;
import dev.stowage.cli.input.RecordLabel;
import dev.stowage.cli.plan.ShapesReport;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import dev.stowage.plan.shapes.DimensionRange;
import dev.stowage.plan.shapes.SymbolicRecord;
import dev.stowage.plan.shapes.search.ComparedShape;
import dev.stowage.plan.shapes.search.Excess;
import dev.stowage.plan.shapes.search.LayoutBucket;
import dev.stowage.plan.shapes.search.LayoutSearchResult;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
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

  private final ShapesReport report;
  private final LayoutSearchResult result;
  private final Writer out;
  private final PageTemplate template;

  private ShapesPage(ShapesReport report, Writer out) {
    this.report = report;
    this.result = report.result();
    this.out = out;
    template = new PageTemplate(out, this::fillIn);
  }

  /**
   * Writes a page, which declares UTF-8 as its encoding.
   *
   * @param report the layouts
   * @param out the output, which stays open
   * @throws IOException if {@code out} throws it
   */
  public static void write(ShapesReport report, Writer out) throws IOException {
    new ShapesPage(report, out).template.write("page.html");
  }

  /** {@return the page as a part of a report} */
  static PagePart part(ShapesReport report, Writer out) {
    return new ShapesPage(report, out);
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
      case "title" -> out.append(MarkupText.escaped(title()));
      case "subject" -> out.append("layouts for all shapes");
      case "made" -> out.append("Planned");
      case "body" -> writeBody();
      case "dimensions" -> out.append(MarkupText.escaped(report.problem().ranges().toString()));
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

  private String title() {
    return String.valueOf(Path.of(report.input().file().path()).getFileName());
  }

  private static String excess(Excess excess) {
    return String.format(
        Locale.ROOT,
        "%s on average, at most %s",
        MarkupText.escaped(Numbers.excess(excess.average())),
        MarkupText.escaped(Numbers.excess(excess.maximum())));
  }

  private String buckets() {
    return report.hasBuckets()
        ? String.format(
            Locale.ROOT, "%d: %s", result.buckets().size(), excess(result.bucketArenaExcess()))
        : "none";
  }

  private String sample() {
    long shapes = report.problem().ranges().shapeCount();
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
          .append(report.hasBuckets() ? ", " + MarkupText.escaped(bucket.ranges().toString()) : "")
          .append("</th>");
    }
  }

  private void writeRecords() throws IOException {
    for (int i = 0; i < report.problem().records().size(); i++) {
      SymbolicRecord record = report.problem().records().get(i);
      RecordLabel label = report.input().labels().get(i);
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
    InputFile file = report.input().file();
    return file.cell(record.firstTask()) + " to " + file.cell(record.lastTask());
  }

  private void writeJson(JsonGenerator json) {
    List<ComparedShape> shapes = result.shapes();
    List<DimensionRange> ranges = report.problem().ranges().ranges();
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
    if (report.hasBuckets()) {
      ScriptJson.column(json, "arena", shapes, ComparedShape::bucketArenaBytes);
    }
    json.writeNumberProperty("maximum", result.maximum().arenaBytes());
    json.writeEndObject();
  }
}
