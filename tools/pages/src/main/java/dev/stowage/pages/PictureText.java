package dev.stowage.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text files of pictures. */
final class PictureText {

  private static final Pattern COMMENT = Pattern.compile("(?ms)^ */\\*.*?\\*/$|^ *//.*?$");
  private static final Pattern SPACE = Pattern.compile("(?m)^\\s+");
  private static final Pattern VARIABLE = Pattern.compile("--([a-z0-9-]+): ([^;]+);");
  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z]+)}");
  private static final Pattern USE = Pattern.compile("var\\(--([a-z0-9-]+)\\)");

  private PictureText() {}

  /** {@return a file of this package; scripts and styles are without indentation and comments} */
  static String of(String resource) {
    try (InputStream in = PictureText.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError("a file of pictures is missing: " + resource);
      }
      String text = new InputStreamReader(in, UTF_8).readAllAsString();
      return resource.endsWith(".html") ? text : compact(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // the file is in the same jar as this class
    }
  }

  /** {@return a file of this package with texts in its places, such as <code>${title}</code>} */
  static String filled(String resource, Map<String, String> places) {
    return PLACE
        .matcher(of(resource))
        .replaceAll(place -> Matcher.quoteReplacement(places.getOrDefault(place.group(1), "")));
  }

  /**
   * {@return a script or a style without indentation, blank lines, and comments that start lines}
   */
  private static String compact(String text) {
    return SPACE.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll("");
  }

  /**
   * {@return the style of drawings, with the colours of light, dark and forced colours instead of
   * variables}
   *
   * <p>Only browsers know variables.
   */
  static String drawingStyle() {
    String style = of("drawing.css");
    String palette = of("palette.css");
    int dark = palette.indexOf("@media (prefers-color-scheme: dark)");
    int forced = palette.indexOf("@media (forced-colors: active)");
    Map<String, String> colours = new HashMap<>();
    return resolved(style, palette.substring(0, dark), colours)
        + "@media (prefers-color-scheme: dark) {\n"
        + resolved(style, palette.substring(dark, forced), colours)
        + "}\n@media (forced-colors: active) {\n"
        + resolved(style, palette.substring(forced), colours)
        + "}\n";
  }

  private static String resolved(String style, String palette, Map<String, String> colours) {
    VARIABLE.matcher(palette).results().forEach(all -> colours.put(all.group(1), all.group(2)));
    return USE.matcher(style)
        .replaceAll(use -> Matcher.quoteReplacement(colours.getOrDefault(use.group(1), "none")));
  }
}
