package dev.stowage.pages;

import java.io.IOException;
import java.io.Writer;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
   *   holes.js       holes of regions, and the chunks next to them
   *   table.js       sortable tables of records and groups
   *   sharing.js     the records that have bytes in common with another one
   *   panels.js, *-panel.js, flame.js   panels beside the map
   *   query.js       searches for records
   *   address.js     the state of a page in the fragment of its address
   *   explorer.js    assembles a page
   *   plan.js, replay.js   the models of pages with a map
   *   chart.js, shapes.js  curves over shapes
   *   beside.js      a second map with another replay
   *   figures.js     makes tables of figures sortable
   *   figures-page.js  tables, charts and flame graphs
   *   report.js      the index of several inputs, and the page of the shown input
   *   start.js       reads the data and starts the page
   */

  /** The sentence on the library in the pages. */
  static final String DRAWN = "Axes by D3 (d3-array 3.2.4), ISC License.";

  /** The scripts of curves without a map. */
  static final List<String> CHART =
      List.of(
          "numbers.js",
          "columns.js",
          "colours.js",
          "names.js",
          "axes.js",
          "curves.js",
          "hover.js",
          "chart.js");

  private static final List<String> EXPLORER =
      List.of(
          "numbers.js",
          "columns.js",
          "colours.js",
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
          "table.js",
          "sharing.js",
          "panels.js",
          "moment-panel.js",
          "groups-panel.js",
          "query.js",
          "search-panel.js",
          "holes.js",
          "reasons-panel.js",
          "address.js",
          "explorer.js");

  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z0-9.]+)}");

  /** The content of the parts that are not files. */
  interface Filling {

    /**
     * Writes the content of a part.
     *
     * @param place the name of the part
     */
    void fillIn(String place) throws IOException;
  }

  private final Writer out;
  private final Filling filling;

  PageTemplate(Writer out, Filling filling) {
    this.out = out;
    this.filling = filling;
  }

  /** Writes the scripts of a page with a map: those of all such pages, and its own. */
  void writeExplorer(String... own) throws IOException {
    writeScripts(EXPLORER, own);
  }

  /**
   * Writes the scripts of a report. Those of each kind of pages are in a function of their own,
   * because each defines {@code startPage}.
   */
  void writeReport(Collection<ReportKind> kinds) throws IOException {
    for (String script : EXPLORER) {
      out.append(PictureText.of(script));
    }
    out.append("const starts = {\n");
    for (ReportKind kind : kinds) {
      out.append(kind + ": (() => {\n");
      for (String script : kind.scripts()) {
        out.append(PictureText.of(script));
      }
      out.append("return startPage;\n})(),\n");
    }
    out.append("};\n").append(PictureText.of("figures.js")).append(PictureText.of("report.js"));
  }

  /** Writes common scripts and those of a page, the last of which defines {@code startPage}. */
  void writeScripts(List<String> common, String... own) throws IOException {
    for (String script : common) {
      out.append(PictureText.of(script));
    }
    for (String script : own) {
      out.append(PictureText.of(script));
    }
    out.append(PictureText.of("start.js"));
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
    } else {
      filling.fillIn(name);
    }
  }
}
