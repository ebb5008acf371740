package dev.stowage.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text files of pictures. */
final class PictureText {

  private static final String D3 = "META-INF/resources/webjars/d3-array/3.2.4/dist/d3-array.min.js";

  private static final Pattern COMMENT = Pattern.compile("(?ms)^ */\\*.*?\\*/$|^ *//.*?$");
  private static final Pattern SPACE = Pattern.compile("(?m)^\\s+");

  private PictureText() {}

  /** {@return the module d3-array of D3 as one script that starts with its copyright} */
  static String d3() throws IOException {
    // A class finds only files of its own module. Its loader also finds files of other modules, if
    // their folder is not a package, such as META-INF.
    try (InputStream in = PictureText.class.getClassLoader().getResourceAsStream(D3)) {
      return text(in, D3);
    }
  }

  /** {@return a file of this package; scripts and styles are without indentation and comments} */
  static String of(String resource) throws IOException {
    try (InputStream in = PictureText.class.getResourceAsStream(resource)) {
      String text = text(in, resource);
      return resource.endsWith(".html") ? text : compact(text);
    }
  }

  /**
   * {@return a script or a style without indentation, blank lines, and comments that start lines}
   */
  private static String compact(String text) {
    return SPACE.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll("");
  }

  private static String text(@Nullable InputStream in, String resource) throws IOException {
    if (in == null) {
      throw new AssertionError("a file of pictures is missing: " + resource);
    }
    return new InputStreamReader(in, UTF_8).readAllAsString();
  }
}
