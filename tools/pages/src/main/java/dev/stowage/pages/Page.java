package dev.stowage.pages;

import dev.stowage.pages.text.RunFacts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * An HTML page that works without a network and other files, or an input of a report.
 *
 * @param subject the subject in the title of the window
 * @param made the participle for the content, such as {@code Planned}
 * @param body the content, which needs no scripts
 * @param data returns what the map shows: texts, numbers, arrays, lists and maps of them
 */
record Page(
    Kind kind, String title, String subject, String made, String body, Supplier<Columns> data) {

  /** The kinds of pages, by the scripts that they need. */
  enum Kind {
    PLAN,
    REPLAY,
    FIGURES
  }

  private static final List<String> TABLES = List.of("data.js", "copy.js", "table.js");

  /** The scripts of maps: their model, the picture, its actions, and the panels beside it. */
  private static final List<String> MAPS =
      List.of(
          "colours.js",
          "model.js",
          "boxes.js",
          "axes.js",
          "curves.js",
          "view.js",
          "pointer.js",
          "query.js",
          "panels.js",
          "holes.js",
          "explorer.js",
          "plan.js",
          "replay.js");

  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z.]+)}");

  /**
   * {@return a page}
   *
   * @param places the texts for the places in the template of this kind of page
   */
  static Page of(
      Kind kind,
      String title,
      String subject,
      String made,
      RunFacts run,
      Map<String, String> places,
      Supplier<Columns> data) {
    Map<String, String> all = new HashMap<>(places);
    all.put("title", MarkupText.escaped(title));
    all.put("conclusion", RunMarkup.conclusion(run));
    all.put("explorer", PictureText.of("explorer.html"));
    all.put("run", RunMarkup.facts(run));
    String template = PictureText.of(kind.name().toLowerCase(Locale.ROOT) + ".html");
    return new Page(kind, title, subject, made, filled(template, all), data);
  }

  /** Writes the page, which declares UTF-8 as its encoding, and leaves the output open. */
  void write(Writer out) throws IOException {
    writeStart(title + ": " + subject, kind.name(), out);
    out.append(body);
    writeData("data", out);
    writeEnd(made, kind != Kind.FIGURES, out);
  }

  static void writeStart(String title, String kind, Writer out) throws IOException {
    String style =
        PictureText.of("palette.css")
            + PictureText.of("page.css")
            + ".plot {\n"
            + PictureText.of("drawing.css")
            + "}\n";
    out.append(
        filled(
            PictureText.of("page.html"),
            Map.of("title", MarkupText.escaped(title), "style", style, "kind", kind)));
  }

  static void writeEnd(String made, boolean hasMap, Writer out) throws IOException {
    out.append("<footer>" + made + " by Stowage.</footer>\n<script>\n\"use strict\";\n(() => {\n");
    for (String script : scripts(hasMap)) {
      out.append(PictureText.of(script));
    }
    out.append("})();\n</script>\n</body>\n</html>\n");
  }

  static List<String> scripts(boolean hasMap) {
    return Stream.of(TABLES, hasMap ? MAPS : List.<String>of(), List.of("start.js"))
        .flatMap(List::stream)
        .toList();
  }

  /** Writes the data as base64 of a raw deflate stream of JSON, which contains no markup. */
  void writeData(String id, Writer out) throws IOException {
    if (kind == Kind.FIGURES) {
      return;
    }
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try (OutputStream packing = new DeflaterOutputStream(packed, deflater)) {
      packing.write(data.get().json());
    } finally {
      deflater.end();
    }
    out.append("<script type=\"text/plain\" id=\"" + id + "\">")
        .append(Base64.getEncoder().encodeToString(packed.toByteArray()))
        .append("</script>\n");
  }

  /** {@return a text after its places, such as <code>${title}</code>, are filled in} */
  private static String filled(String template, Map<String, String> places) {
    return PLACE
        .matcher(template)
        .replaceAll(place -> Matcher.quoteReplacement(places.getOrDefault(place.group(1), "")));
  }
}
