package dev.stowage.pages;

import dev.stowage.pages.text.RunFacts;
import dev.stowage.pages.text.Text;
import dev.stowage.trace.explain.TraceDiff;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import tools.jackson.core.JsonGenerator;

/**
 * An HTML page of tables, charts and flame graphs that works without a network and other files.
 *
 * <p>Its parts have the order in which they are added. The tables need no scripts.
 */
public final class FiguresPage implements PagePart {

  /*
   *   figures.html      the frame of the content
   *   figures-page.js   sorts the tables, and draws the charts and flame graphs
   *
   * The data are those of the charts and flame graphs, each with the id of its element:
   *
   *   {"charts": [{"id": "", "label": "", "places": [], "titles": [], "curves": [{"name": "", "colour": "", "values": []}],
   *                "most": 0, "mark": 0}],
   *    "scatters": [{"id": "", "across": "", "upwards": "", "cost": [], "bytes": [], "low": [], "high": [], "mark": [],
   *                  "front": [], "labels": [{"point": 0, "text": ""}],
   *                  "lines": [{"name": "", "colour": "", "bytes": 0}]}],
   *    "flames": [{"id": "", "title": "", "bytes": [], "blocks": [], "stack": [], "names": [],
   *                "frames": [], "stackStart": [], "stackFrames": [], "lines": [], "stackLine": []}]}
   *
   * A chart of areas has also a "total", the name of their sum, and a "step", the distance on the axis that
   * has the number 1. "most" is the largest value on the axis of bytes if other charts have the same axis, and "mark" a position
   * with a line. A scatter chart has a point for each row of the table with its id. A group of a flame graph has an index of a
   * stack, or -1 and a name.
   */

  private final Head head;
  private final StringWriter body = new StringWriter();
  private final List<Consumer<JsonGenerator>> charts = new ArrayList<>();
  private final List<Consumer<JsonGenerator>> scatters = new ArrayList<>();
  private final List<Consumer<JsonGenerator>> flames = new ArrayList<>();

  /**
   * A curve of a chart.
   *
   * @param colour the name of a colour of the style, such as {@code load}
   * @param values the value at each position
   */
  public record Curve(String name, String colour, List<Long> values) {

    public Curve {
      values = List.copyOf(values);
    }
  }

  /**
   * A figure above a table.
   *
   * @param term the name
   * @param text the value
   */
  public record Figure(String term, String text) {}

  /**
   * Creates an empty page.
   *
   * @param subject the subject in the title of the window
   * @param made the participle for the content, such as {@code Compared}
   */
  public FiguresPage(String title, String subject, String made, RunFacts run) {
    head = new Head(ReportKind.FIGURES, title, subject, made, run);
  }

  public void addHeading(String text) {
    body.append("<h2>" + MarkupText.escaped(text) + "</h2>\n");
  }

  /** Adds a paragraph. */
  public void addText(String text) {
    body.append("<p>" + MarkupText.escaped(text) + "</p>\n");
  }

  /** Adds a line of a shell or of a program, with a button that copies it. */
  public void addLine(String text) {
    body.append(RunMarkup.command(text));
  }

  /**
   * Adds figures.
   *
   * @param figures the figures, the most important first
   */
  public void addFigures(List<Figure> figures) {
    body.append("<dl class=\"numbers\">\n");
    for (Figure figure : figures) {
      body.append("<div><dt>" + MarkupText.escaped(figure.term) + "</dt><dd>")
          .append(MarkupText.escaped(figure.text) + "</dd></div>\n");
    }
    body.append("</dl>\n");
  }

  /**
   * Adds a drawing.
   *
   * @param title the title for readers who do not see it
   * @param svg the drawing as SVG
   */
  public void addDrawing(String title, String svg) {
    String encoded = Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
    body.append("<div class=\"wide\"><img class=\"drawing\" alt=\"" + MarkupText.escaped(title))
        .append("\" src=\"data:image/svg+xml;base64," + encoded + "\"></div>\n");
  }

  public void addTable(FigureTable<?> table) {
    try {
      table.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // a StringWriter does not throw it
    }
  }

  public void addBars(PairedBars bars) {
    body.append(bars.markup());
  }

  /** Adds two plans side by side. */
  public void addDrawings(ComparedDrawings drawings) {
    body.append(drawings.markup());
  }

  public void addBars(PartBars bars) {
    body.append(bars.markup());
  }

  /**
   * Adds a chart of curves of bytes at the positions 1, 2 and so on.
   *
   * @param curves the curves; the first one is in front
   */
  public void addChart(String label, List<String> titles, List<Curve> curves) {
    addChart(label, LongStream.rangeClosed(1, titles.size()).boxed().toList(), titles, curves);
  }

  /**
   * Adds a chart of curves of bytes.
   *
   * @param places the positions on the axis, ascending
   * @param curves the curves; the first one is in front
   */
  public void addChart(String label, List<Long> places, List<String> titles, List<Curve> curves) {
    String id = addChartElement(label);
    for (Curve curve : curves) {
      addKey("stroke\" style=\"border-color", curve);
    }
    body.append("</p>\n</div>\n");
    charts.add(json -> {
      json.writeStartObject();
      writeChart(json, id, label, places, titles, curves);
      json.writeEndObject();
    });
  }

  /** Adds two charts of curves side by side. */
  public void addCharts(ComparedCurves both) {
    body.append("<div class=\"beside\">\n");
    for (ComparedCurves.History history : List.of(both.a(), both.b())) {
      body.append("<figure>\n<figcaption>" + MarkupText.escaped(history.caption()))
          .append("</figcaption>\n");
      String id = addChartElement(history.caption());
      List<Curve> curves =
          history.curves().stream()
              .map(line -> new Curve(line.name(), line.colour(), line.bytes()))
              .toList();
      curves.forEach(curve -> addKey("stroke\" style=\"border-color", curve));
      body.append("</p>\n</div>\n</figure>\n");
      charts.add(json -> {
        json.writeStartObject();
        writeChart(json, id, both.label(), history.places(), history.titles(), curves);
        json.writeNumberProperty("most", both.mostBytes());
        json.writeNumberProperty("mark", history.mark());
        json.writeEndObject();
      });
    }
    body.append("</div>\n");
  }

  /** Adds a chart of areas above each other. The areas are straight between the positions. */
  public void addAreas(StackedAreas areas) {
    String id = addChartElement(areas.label());
    List<Curve> curves =
        areas.layers().stream()
            .map(layer -> new Curve(layer.name(), layer.colour(), layer.bytes()))
            .toList();
    // The key has the order of the areas from top to bottom.
    curves.reversed().forEach(curve -> addKey("swatch small\" style=\"background", curve));
    body.append("</p>\n</div>\n");
    charts.add(json -> {
      json.writeStartObject();
      writeChart(json, id, areas.label(), areas.places(), areas.titles(), curves);
      json.writeStringProperty("total", areas.total());
      json.writeNumberProperty("step", areas.unit());
      json.writeEndObject();
    });
  }

  /**
   * Adds a chart of points, and the table that has a row for each of them.
   *
   * @throws IllegalArgumentException if the table has another number of rows
   */
  public void addScatter(ScatterChart chart, FigureTable<?> table) {
    if (table.rowCount() != chart.points().size()) {
      throw new IllegalArgumentException(
          Text.of(
              "the table needs a row for each of %d points: rows=%d",
              chart.points().size(), table.rowCount()));
    }
    String id = "scatter-" + (scatters.size() + 1);
    body.append(chart.markup(id));
    scatters.add(json -> chart.write(json, id));
    addTable(table.linkedTo(id));
  }

  /** Adds the element of a chart, up to its key, and {@return its id} */
  private String addChartElement(String label) {
    String id = "chart-" + (charts.size() + 1);
    // A script shows the chart when it draws it.
    body.append(
            "<div hidden>\n<div class=\"chart\" id=\""
                + id
                + "\" tabindex=\"0\" role=\"application\"")
        .append(" aria-label=\"" + MarkupText.escaped(label) + "\"></div>\n<p class=\"key\">");
    return id;
  }

  private void addKey(String style, Curve curve) {
    body.append("<span><i class=\"" + style + ":var(--" + curve.colour + ")\"></i>")
        .append(MarkupText.escaped(curve.name) + "</span> ");
  }

  private static void writeChart(
      JsonGenerator json,
      String id,
      String label,
      List<Long> places,
      List<String> titles,
      List<Curve> curves) {
    json.writeStringProperty("id", id);
    json.writeStringProperty("label", label);
    ScriptJson.column(json, "places", places, Long::longValue);
    ScriptJson.column(json, "titles", titles);
    json.writeArrayPropertyStart("curves");
    for (Curve curve : curves) {
      json.writeStartObject();
      json.writeStringProperty("name", curve.name);
      json.writeStringProperty("colour", curve.colour);
      ScriptJson.column(json, "values", curve.values, Long::longValue);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /**
   * Adds a flame graph of call stacks.
   *
   * @param name the name of all allocations
   * @param bytes returns the bytes of a group; groups with 0 are omitted
   * @param blocks returns the number of allocations of a group
   */
  public void addFlame(
      String name,
      List<TraceDiff.Group> groups,
      ToLongFunction<TraceDiff.Group> bytes,
      ToLongFunction<TraceDiff.Group> blocks) {
    String id = "flame-" + (flames.size() + 1);
    body.append("<div id=\"" + id + "\"></div>\n");
    List<TraceDiff.Group> shown =
        groups.stream().filter(group -> bytes.applyAsLong(group) > 0).toList();
    flames.add(json -> {
      StackColumns stacks = new StackColumns();
      json.writeStartObject();
      json.writeStringProperty("id", id);
      json.writeStringProperty("title", name);
      ScriptJson.column(json, "bytes", shown, bytes);
      ScriptJson.column(json, "blocks", shown, blocks);
      ScriptJson.column(json, "stack", shown, group -> stacks.indexOf(group.frames()));
      ScriptJson.column(
          json,
          "names",
          shown.stream().map(group -> group.frames().isEmpty() ? group.key() : "").toList());
      stacks.write(json);
      json.writeEndObject();
    });
  }

  /** Writes the page, which declares UTF-8 as its encoding, and leaves the output open. */
  public void write(Writer out) throws IOException {
    PageTemplate.writePage(this, out);
  }

  @Override
  public Head head() {
    return head;
  }

  @Override
  public void fillIn(String place, Writer out) throws IOException {
    if (!place.equals("content")) {
      throw new AssertionError("a page of figures has no part named " + place);
    }
    out.append(body.getBuffer());
  }

  @Override
  public void writeData(JsonGenerator json) {
    json.writeStartObject();
    json.writeArrayPropertyStart("charts");
    charts.forEach(chart -> chart.accept(json));
    json.writeEndArray();
    json.writeArrayPropertyStart("scatters");
    scatters.forEach(scatter -> scatter.accept(json));
    json.writeEndArray();
    json.writeArrayPropertyStart("flames");
    flames.forEach(flame -> flame.accept(json));
    json.writeEndArray();
    json.writeEndObject();
  }
}
