package dev.stowage.pages;

import java.io.IOException;
import java.io.Writer;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A template of an HTML page that works without a network and other files. */
final class PageTemplate {

  /*
   * page.html is the frame of all pages (head.html and scripts.html are also those of reports), and explorer.html the map with its controls and panels. Their parts are
   * named ${...}. Each file is scanned once, so that text within a part cannot name another one.
   *
   *   page.css       the style, light and dark
   *   numbers.js     numbers as text
   *   columns.js     reads columns of data
   *   colours.js     tones and palettes
   *   parts.js       the parts of reserved memory, their patterns and areas
   *   raster.js      writes rectangles into an image, and finds the one at a point
   *   names.js       names in rectangles
   *   axes.js        scales, axes and lines
   *   curves.js      curves with a range of values for each column of pixels
   *   moment.js      the records that are live at a step, groups of records
   *   store.js       the state of a page
   *   labels.js      lines with labels, and labels beside the map
   *   marks.js       peaks, failed requests, the moment, outlines
   *   view.js        the map, the curves and the minimap on a canvas
   *   pointer.js     pointer, wheel, touch, keys
   *   hover.js       tooltips
   *   copy.js        buttons that copy a text
   *   holes.js       holes of regions, and the chunks next to them
   *   table.js       sortable tables of records and groups
   *   sharing.js     the records that have bytes in common with another one
   *   panels.js, *-panel.js   panels beside the map
   *   flame.js       flame graphs
   *   query.js       searches for records
   *   address.js     the state of a page in the fragment of its address
   *   explorer.js    assembles a page
   *   plan.js, replay.js   the models of pages with a map
   *   chart.js       curves over shapes
   *   scatter.js     points with a cost and bytes
   *   beside.js      a second map with another replay
   *   figures.js     makes tables of figures sortable
   *   figures-page.js  tables, charts and flame graphs
   *   report.js      the index of several inputs, and the page of the shown input
   *   start.js       reads the data and starts the page
   */

  /** The scripts of curves without a map. */
  private static final List<String> CHART =
      List.of(
          "numbers.js",
          "columns.js",
          "colours.js",
          "parts.js",
          "names.js",
          "axes.js",
          "curves.js",
          "hover.js",
          "copy.js",
          "chart.js");

  /** The scripts of pages with a map. */
  private static final List<String> EXPLORER =
      List.of(
          "numbers.js",
          "columns.js",
          "colours.js",
          "parts.js",
          "raster.js",
          "names.js",
          "axes.js",
          "curves.js",
          "moment.js",
          "store.js",
          "labels.js",
          "marks.js",
          "view.js",
          "pointer.js",
          "hover.js",
          "copy.js",
          "table.js",
          "sharing.js",
          "panels.js",
          "moment-panel.js",
          "groups-panel.js",
          "query.js",
          "search-panel.js",
          "holes.js",
          "reasons-panel.js",
          "holes-panel.js",
          "address.js",
          "explorer.js");

  /** The scripts of reports behind those of the kinds. */
  private static final List<String> REPORT = List.of("figures.js", "report.js");

  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z0-9.]+)}");

  /** The content of the parts that are not files. */
  interface Filling {

    /** Writes the content of a part. */
    void fillIn(String place) throws IOException;
  }

  private final Writer out;
  private final Filling filling;

  PageTemplate(Writer out, Filling filling) {
    this.out = out;
    this.filling = filling;
  }

  /** Writes a page, which declares UTF-8 as its encoding, and leaves the output open. */
  static void writePage(PagePart part, Writer out) throws IOException {
    of(part, out).write("page.html");
  }

  static PageTemplate of(PagePart part, Writer out) {
    return new PageTemplate(out, place -> fillIn(place, part, out));
  }

  private static void fillIn(String place, PagePart part, Writer out) throws IOException {
    PagePart.Head head = part.head();
    switch (place) {
      case "title" -> out.append(MarkupText.escaped(head.title()));
      case "subject" -> out.append(MarkupText.escaped(head.subject()));
      case "made" -> out.append(head.made());
      case "body" -> of(part, out).write(head.kind().template());
      case "conclusion" -> RunMarkup.writeConclusion(head.run(), out);
      case "run" -> RunMarkup.writeFacts(head.run(), out);
      case "data" -> ScriptJson.write(out, part::writeData);
      case "script" -> {
        write(scripts(head.kind()), out);
      }
      default -> part.fillIn(place, out);
    }
  }

  /** {@return the scripts of a page of a kind} */
  static List<String> scripts(ReportKind kind) {
    List<String> common = kind.hasMap() ? EXPLORER : CHART;
    return Stream.of(common, kind.scripts(), List.of("start.js")).flatMap(List::stream).toList();
  }

  /** {@return the scripts of all reports, which are around those of the kinds} */
  static List<String> scriptsOfReport() {
    return Stream.concat(EXPLORER.stream(), REPORT.stream()).toList();
  }

  private static void write(List<String> scripts, Writer out) throws IOException {
    for (String script : scripts) {
      out.append(PictureText.of(script));
    }
  }

  /**
   * Writes the scripts of a report. Those of each kind of pages are in a function of their own,
   * because each defines {@code startPage}.
   */
  static void writeReport(Collection<ReportKind> kinds, Writer out) throws IOException {
    write(EXPLORER, out);
    out.append("const starts = {\n");
    for (ReportKind kind : kinds) {
      out.append(kind + ": (() => {\n");
      write(kind.scriptsInReport(), out);
      out.append("return startPage;\n})(),\n");
    }
    out.append("};\n");
    write(REPORT, out);
  }

  /** Writes a file of this package with the content of its parts. */
  void write(String resource) throws IOException {
    String text = PictureText.of(resource);
    Matcher place = PLACE.matcher(text);
    int written = 0;
    while (place.find()) {
      out.append(text, written, place.start());
      fillIn(place.group(1));
      written = place.end();
    }
    out.append(text, written, text.length());
  }

  private void fillIn(String name) throws IOException {
    if (name.endsWith(".html")) {
      write(name);
    } else if (name.endsWith(".css") || name.endsWith(".js")) {
      out.append(PictureText.of(name));
    } else if (name.equals("library")) {
      out.append(PictureText.d3());
    } else if (name.equals("drawn")) {
      out.append("Axes by D3 (d3-array 3.2.4), ISC License.");
    } else {
      filling.fillIn(name);
    }
  }
}
