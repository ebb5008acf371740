package dev.stowage.cli.failure;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A block of a resource.
 *
 * @param title the value of the first line, whose key is {@code =}
 * @param lines the other lines
 */
record ResourceBlock(String title, List<Line> lines) {

  /** A line: all after its first blank is the value. */
  record Line(String key, String value) {

    private static Line of(String text) {
      int end = text.indexOf(' ');
      return end < 0
          ? new Line(text, "")
          : new Line(text.substring(0, end), text.substring(end + 1));
    }
  }

  /** {@return the blocks of a resource of this package, without blank lines and comments} */
  static List<ResourceBlock> read(String resource) {
    List<ResourceBlock> blocks = new ArrayList<>();
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(ResourceBlock.class.getResourceAsStream(resource)),
            StandardCharsets.UTF_8)) {
      for (String text : reader.readAllLines()) {
        Line line = Line.of(text);
        if (line.key().equals("=")) {
          blocks.add(new ResourceBlock(line.value(), new ArrayList<>()));
        } else if (!text.isEmpty() && !text.startsWith("#")) {
          blocks.getLast().lines.add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return blocks;
  }

  /** {@return the values of the lines with a key, in their order} */
  Stream<String> values(String key) {
    return lines.stream().filter(line -> line.key().equals(key)).map(Line::value);
  }
}
