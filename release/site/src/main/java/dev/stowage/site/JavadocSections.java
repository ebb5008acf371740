package dev.stowage.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** The types and members in a folder of Javadoc, for the search. */
final class JavadocSections {

  /** Longer descriptions are cut: the excerpt shows less, and the first sentence says the most. */
  private static final int MAX_TEXT = 400;

  private JavadocSections() {}

  /**
   * A type or member.
   *
   * @param name the name, such as {@code MemoryPool.close()}
   * @param page the page of the type, relative to the folder
   * @param anchor the anchor of the member, or nothing
   * @param text the start of the description
   */
  record Section(String name, Path page, String anchor, String text) {}

  /**
   * {@return the types and members of a folder}
   *
   * @throws IOException if a page cannot be read
   */
  static List<Section> of(Path folder) throws IOException {
    List<Section> sections = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".html")).sorted().toList()) {
        Document page = Jsoup.parse(file);
        if (page.body().hasClass("class-declaration-page")) {
          addType(sections, folder.relativize(file), page);
        }
      }
    }
    return sections;
  }

  private static void addType(List<Section> sections, Path file, Document page) {
    String type = file.getFileName().toString().replaceFirst("\\.html$", "");
    sections.add(new Section(type, file, "", text(page.selectFirst(".class-description .block"))));
    for (Element member : page.select("section.detail[id]")) {
      String id = member.id();
      int parameters = id.indexOf('(');
      String name =
          parameters < 0
              ? id
              : id.substring(0, parameters)
                  + id.substring(parameters).replaceAll("[\\w.]+\\.(?=\\w)", "").replace(",", ", ");
      sections.add(new Section(type + "." + name, file, id, text(member.selectFirst(".block"))));
    }
  }

  private static String text(@Nullable Element block) {
    String text = block == null ? "" : block.text();
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
  }
}
