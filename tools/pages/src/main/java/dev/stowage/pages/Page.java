package dev.stowage.pages;

import dev.stowage.pages.text.Conclusion;
import dev.stowage.pages.text.Fact;
import dev.stowage.pages.text.Printable;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An HTML page of texts, tables and pictures that works without a network and other files.
 *
 * <p>Its parts have the order in which they are added. Only maps and buttons that copy need
 * scripts.
 */
public final class Page {

  private static final List<String> SCRIPTS = List.of("data.js", "copy.js");

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
          "table.js",
          "panels.js",
          "holes.js",
          "explorer.js",
          "plan.js",
          "replay.js",
          "start.js");

  private final String title;
  private final StringBuilder content = new StringBuilder();
  private boolean hasMap;

  /** Creates an empty page. */
  public Page(String title) {
    this.title = title;
  }

  /** Adds the answer that the page starts with. */
  public void addConclusion(Conclusion conclusion) {
    content
        .append("<section id=\"conclusion\" aria-label=\"Answer\">\n<p class=\"figure\">")
        .append(MarkupText.escaped(conclusion.figure()))
        .append("</p>\n<div>\n<p class=\"sentence\">")
        .append(MarkupText.escaped(unbroken(conclusion.sentence())))
        .append("</p>\n<p class=\"confidence\">")
        .append(MarkupText.escaped(unbroken(conclusion.confidence())) + "</p>\n");
    conclusion.command().ifPresent(this::addLine);
    content.append("</div>\n</section>\n");
  }

  /** {@return a text that never breaks a line between a number and its unit} */
  private static String unbroken(String text) {
    return text.replaceAll("(?<=[0-9]) (?=%|[KMGTPE]?i?B\\b|bytes?\\b)", "\u00a0");
  }

  public void addHeading(String text) {
    content.append("<h2>" + MarkupText.escaped(text) + "</h2>\n");
  }

  /** Adds a paragraph. */
  public void addText(String text) {
    content.append("<p>" + MarkupText.escaped(text) + "</p>\n");
  }

  /** Adds a line of a shell or of a program, with a button that copies it. */
  public void addLine(String text) {
    content
        .append("<div class=\"command\"><pre class=\"paste\">" + MarkupText.escaped(text))
        .append("</pre><button type=\"button\" class=\"copy\">Copy</button></div>\n");
  }

  /**
   * Adds a drawing.
   *
   * @param name the name for readers who do not see it
   * @param svg the drawing as SVG
   */
  public void addDrawing(String name, String svg) {
    String encoded = Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
    content
        .append("<div class=\"wide\"><img class=\"drawing\" alt=\"" + MarkupText.escaped(name))
        .append("\" src=\"data:image/svg+xml;base64," + encoded + "\"></div>\n");
  }

  /** Adds a table or a picture; a page has at most one map. */
  public void add(PagePart part) {
    content.append(part.markup());
    hasMap |= part.isMap();
  }

  /** Adds the command line, the options in effect and the notes. */
  public void addRun(List<Fact> facts) {
    content
        .append("<details id=\"run\">\n<summary>This run: command, options and notes</summary>\n")
        .append("<dl>\n");
    for (Fact fact : facts) {
      content
          .append("<div><dt>" + fact.term() + "</dt><dd>")
          .append(MarkupText.escaped(Printable.of(fact.text())) + "</dd></div>\n");
    }
    content.append("</dl>\n</details>\n");
  }

  /** Writes the page, which declares UTF-8 as its encoding, and leaves the output open. */
  public void write(Writer out) throws IOException {
    String style =
        PictureText.of("palette.css")
            + PictureText.of("page.css")
            + ".plot {\n"
            + PictureText.of("drawing.css")
            + "}\n";
    String scripts = scripts(hasMap).map(PictureText::of).collect(Collectors.joining());
    out.append(
        PictureText.filled(
            "page.html",
            Map.of(
                "title",
                MarkupText.escaped(title),
                "style",
                style,
                "content",
                content.toString(),
                "scripts",
                scripts)));
  }

  static Stream<String> scripts(boolean hasMap) {
    return Stream.concat(SCRIPTS.stream(), hasMap ? MAPS.stream() : Stream.of());
  }
}
