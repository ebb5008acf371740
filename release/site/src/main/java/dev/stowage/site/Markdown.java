package dev.stowage.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Converts Markdown to HTML whose headings have the anchors of GitHub. */
final class Markdown {

  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());

  private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
  private final HtmlRenderer renderer = HtmlRenderer.builder().extensions(EXTENSIONS).build();

  /**
   * A section of a page, for the search.
   *
   * @param level the level of the heading, from 1
   * @param heading the heading
   * @param anchor the anchor of the heading
   * @param text the text below the heading, without markup
   */
  record Section(int level, String heading, String anchor, String text) {}

  /**
   * A converted file.
   *
   * @param html the content of the page
   * @param sections the sections
   */
  record Converted(String html, List<Section> sections) {}

  /**
   * {@return a converted file}
   *
   * @param text the file
   * @param links replaces the destinations of links and images
   */
  Converted convert(String text, UnaryOperator<String> links) {
    Node document = parser.parse(text);
    document.accept(new LinkVisitor(links));
    Document html = Jsoup.parseBodyFragment(renderer.render(document));
    // Pictures with a version for each colour scheme are HTML in the Markdown.
    html.select("picture img")
        .forEach(image -> image.attr("src", links.apply(image.attr("src"))));
    html.select("picture source")
        .forEach(source -> source.attr("srcset", links.apply(source.attr("srcset"))));
    // A wide table or listing scrolls by itself, also with the keyboard.
    html.select("table").wrap("<div class=\"wide\" tabindex=\"0\"></div>");
    html.select("pre").attr("tabindex", "0");
    // A screen reader announces headers of columns, which an empty cell is not.
    html.select("th").stream()
        .filter(header -> header.text().isEmpty())
        .forEach(header -> header.tagName("td"));
    html.outputSettings().prettyPrint(false);
    return new Converted(html.body().html(), sections(html.body()));
  }

  private static List<Section> sections(Element body) {
    List<Section> sections = new ArrayList<>();
    int level = 1;
    String heading = "";
    String anchor = "";
    StringBuilder text = new StringBuilder();
    for (Element element : body.children()) {
      if (element.tagName().toLowerCase(Locale.ROOT).matches("h[1-6]")) {
        if (!heading.isEmpty()) {
          sections.add(new Section(level, heading, anchor, text.toString().strip()));
        }
        level = element.tagName().charAt(1) - '0';
        heading = element.text();
        anchor = element.id();
        text.setLength(0);
      } else {
        text.append(element.text()).append(' ');
      }
    }
    sections.add(new Section(level, heading, anchor, text.toString().strip()));
    return sections;
  }

  private static final class LinkVisitor extends AbstractVisitor {

    private final UnaryOperator<String> links;

    LinkVisitor(UnaryOperator<String> links) {
      this.links = links;
    }

    @Override
    public void visit(Link link) {
      link.setDestination(links.apply(link.getDestination()));
      visitChildren(link);
    }

    @Override
    public void visit(Image image) {
      image.setDestination(links.apply(image.getDestination()));
      visitChildren(image);
    }
  }
}
