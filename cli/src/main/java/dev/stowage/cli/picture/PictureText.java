package dev.stowage.cli.picture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import org.jspecify.annotations.Nullable;

/** Files that pictures are made of. */
final class PictureText {

  private static final String ECHARTS = "META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

  private PictureText() {}

  /** {@return Apache ECharts as one script, with its licence in front} */
  static String echarts() throws IOException {
    // A class finds the files of its own module alone; its loader finds those of others, too,
    // where their folder is no package, as META-INF is none.
    try (InputStream in = PictureText.class.getClassLoader().getResourceAsStream(ECHARTS)) {
      return text(in, ECHARTS);
    }
  }

  /** {@return a file beside this class} */
  static String of(String resource) throws IOException {
    try (InputStream in = PictureText.class.getResourceAsStream(resource)) {
      return text(in, resource);
    }
  }

  private static String text(@Nullable InputStream in, String resource) throws IOException {
    if (in == null) {
      throw new AssertionError("a picture is made of a file that is not there: " + resource);
    }
    return new InputStreamReader(in, UTF_8).readAllAsString();
  }
}
