package dev.stowage.cli.failure;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A block of a resource.
 *
 * @param titles the values of the first lines, whose key is {@code =}
 * @param lines the other lines
 */
record ResourceBlock(List<String> titles, List<Line> lines) {

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
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(ResourceBlock.class.getResourceAsStream(resource)),
                StandardCharsets.UTF_8))) {
      reader
          .lines()
          .filter(text -> !text.isEmpty() && !text.startsWith("#"))
          .map(Line::of)
          .forEach(line -> add(line, blocks));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return blocks;
  }

  private static void add(Line line, List<ResourceBlock> blocks) {
    boolean isTitle = line.key().equals("=");
    if (isTitle && (blocks.isEmpty() || !blocks.getLast().lines.isEmpty())) {
      blocks.add(new ResourceBlock(new ArrayList<>(), new ArrayList<>()));
    }
    if (isTitle) {
      blocks.getLast().titles.add(line.value());
    } else {
      blocks.getLast().lines.add(line);
    }
  }

  /** {@return the values of the lines with a key, in their order} */
  Stream<String> values(String key) {
    return lines.stream().filter(line -> line.key().equals(key)).map(Line::value);
  }
}
