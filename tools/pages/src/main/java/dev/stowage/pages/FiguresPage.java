package dev.stowage.pages;

import dev.stowage.pages.text.RunFacts;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/**
 * An HTML page of texts, tables and pictures that works without a network and other files.
 *
 * <p>Its parts have the order in which they are added. They need no scripts; {@code table.js} makes
 * the tables sortable.
 */
public final class FiguresPage {

  private final String title;
  private final String subject;
  private final String made;
  private final RunFacts run;
  private final StringBuilder body = new StringBuilder();

  /**
   * Creates an empty page.
   *
   * @param subject the subject in the title of the window
   * @param made the participle for the content, such as {@code Compared}
   */
  public FiguresPage(String title, String subject, String made, RunFacts run) {
    this.title = title;
    this.subject = subject;
    this.made = made;
    this.run = run;
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
    body.append(table.markup());
  }

  public void add(PagePicture picture) {
    body.append(picture.markup());
  }

  /** Writes the page, which declares UTF-8 as its encoding, and leaves the output open. */
  public void write(Writer out) throws IOException {
    page().write(out);
  }

  Page page() {
    return Page.of(
        Page.Kind.FIGURES,
        title,
        subject,
        made,
        run,
        Map.of("content", body.toString()),
        Columns::new);
  }
}
