package dev.stowage.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each link of README and the guides leads to a file, and to a heading of it. */
class GuideLinksTest {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root"));
  private static final Pattern CODE = Pattern.compile("```.*?```", Pattern.DOTALL);
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");
  private static final Pattern LINK =
      Pattern.compile("(?m)\\]\\((?![a-z]+:)([^)\\s]+)\\)|^\\[[^]]+]: (?![a-z]+:)(\\S+)$");

  @Test
  void links_ofAllGuides_haveTargets() throws IOException {
    List<String> broken = new ArrayList<>();
    int count = 0;
    for (Path guide : guides()) {
      for (MatchResult link : LINK.matcher(text(guide)).results().toList()) {
        String target = link.group(1) == null ? link.group(2) : link.group(1);
        count++;
        if (!exists(guide, target)) {
          broken.add(ROOT.relativize(guide) + ": " + target);
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(count).isGreaterThan(100);
  }

  private static List<Path> guides() throws IOException {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).toList();
    }
  }

  private static boolean exists(Path guide, String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? guide : guide.resolveSibling(parts[0]).normalize();
    return Files.exists(file) && (parts.length == 1 || anchors(file).contains(parts[1]));
  }

  /** {@return the anchors of the headings, as programs that show Markdown make them} */
  private static Set<String> anchors(Path file) throws IOException {
    return HEADING
        .matcher(text(file))
        .results()
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static String text(Path file) throws IOException {
    return CODE.matcher(Files.readString(file)).replaceAll("");
  }
}
