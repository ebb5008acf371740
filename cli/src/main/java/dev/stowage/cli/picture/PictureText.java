package dev.stowage.cli.picture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;

/** Files that pictures are made of. */
final class PictureText {

  /* A META-INF folder is no package: its files can be read without the module's consent. */
  private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

  private PictureText() {}

  /** {@return Apache ECharts as one script, with its licence in front} */
  static String echarts() throws IOException {
    return of(ECHARTS);
  }

  /** {@return a file beside this class} */
  static String of(String resource) throws IOException {
    try (InputStream in = PictureText.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new AssertionError("a picture is made of a file that is not there: " + resource);
      }
      return new InputStreamReader(in, UTF_8).readAllAsString();
    }
  }
}
