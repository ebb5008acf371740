package dev.stowage.site;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;

/** Checks that each link within a folder of pages has a target. */
final class LinkCheck {

  private final Path root;
  private final Map<Path, Set<String>> anchors = new HashMap<>();
  private final List<String> broken = new ArrayList<>();
  private int count;

  private LinkCheck(Path root) {
    this.root = root;
  }

  /**
   * The result of a check.
   *
   * @param linkCount the number of links within the folder
   * @param broken a line for each link without a target
   */
  record Result(int linkCount, List<String> broken) {}

  /**
   * {@return the links of all pages below a folder; links to other sites are not checked}
   *
   * @throws IOException if a page cannot be read
   */
  static Result of(Path root) throws IOException {
    LinkCheck check = new LinkCheck(root);
    try (Stream<Path> files = Files.walk(root)) {
      for (Path page : files.filter(file -> file.toString().endsWith(".html")).sorted().toList()) {
        check.page(page);
      }
    }
    return new Result(check.count, List.copyOf(check.broken));
  }

  private void page(Path page) throws IOException {
    Document document = Jsoup.parse(page);
    for (Element element : document.select("a[href], link[href], img[src], script[src]")) {
      String link = element.hasAttr("href") ? element.attr("href") : element.attr("src");
      if (!link.isEmpty() && !link.matches("(?s)[a-zA-Z][a-zA-Z0-9+.-]*:.*")) {
        count++;
        problem(page, link)
            .ifPresent(reason ->
                broken.add(
                    String.format(Locale.ROOT, "%s: %s: %s", root.relativize(page), link, reason)));
      }
    }
  }

  private Optional<String> problem(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String file = decoded(hash < 0 ? link : link.substring(0, hash)).replaceFirst("\\?.*", "");
    Path target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
    if (!target.startsWith(root)) {
      return Optional.of("leaves the site");
    }
    if (Files.isDirectory(target)) {
      target = target.resolve("index.html");
    }
    if (!Files.exists(target)) {
      return Optional.of("there is no such file");
    }
    String anchor = hash < 0 ? "" : decoded(link.substring(hash + 1));
    return anchor.isEmpty()
            || !target.toString().endsWith(".html")
            || anchors(target).contains(anchor)
        ? Optional.empty()
        : Optional.of("the page has no such anchor");
  }

  private static String decoded(String part) {
    return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private Set<String> anchors(Path page) throws IOException {
    Set<String> known = anchors.get(page);
    if (known == null) {
      known =
          Jsoup.parse(page).select("[id], a[name]").stream()
              .flatMap(element -> Stream.of(element.id(), element.attr("name")))
              .collect(Collectors.toSet());
      anchors.put(page, known);
    }
    return known;
  }
}
