package dev.stowage.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The Java examples of a section of a guide, for a comparison with the source of a test. */
public final class GuideExamples {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Pattern EXAMPLE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static final Pattern SECTION_START = Pattern.compile("(?m)^(?=## )");

  private GuideExamples() {}

  /**
   * {@return the examples, without indentation}
   *
   * @param guide the path of the guide in the project
   * @param heading the heading of the section, such as {@code ## Netty}, or the first one of the
   *     guide for the text before all sections
   * @throws IllegalArgumentException if the guide has no such section
   */
  public static List<String> of(String guide, String heading) throws IOException {
    for (String section : SECTION_START.split(Files.readString(ROOT.resolve(guide)), -1)) {
      if (section.startsWith(heading + "\n")) {
        return EXAMPLE
            .matcher(section)
            .results()
            .map((MatchResult example) -> unindented(example.group(1)))
            .toList();
      }
    }
    throw new IllegalArgumentException(guide + " has no section '" + heading + "'");
  }

  /**
   * {@return the text of a source file, without indentation}
   *
   * @param file the path of the file in the project
   */
  public static String source(String file) throws IOException {
    return unindented(Files.readString(ROOT.resolve(file)));
  }

  private static String unindented(String code) {
    return String.join("\n", code.lines().map(String::strip).toList());
  }
}
