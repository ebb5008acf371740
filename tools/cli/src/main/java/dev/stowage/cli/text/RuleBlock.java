package dev.stowage.cli.text;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A block of a resource, and the conditions under which its lines hold. */
public record RuleBlock(List<Line> lines) {

  /*
   * A line is a key, a blank and a value. Two keys have conditions instead of a value. "=" has the
   * conditions of all lines of a block, which it starts. "if" has the conditions of the lines up to
   * the next "if".
   *
   * Conditions are names with blanks between them. All of them must hold. "a|b" holds if one of the
   * two does, and "no_a" if a does not. Blank lines are skipped, and lines that start with "#".
   */

  private static final String NOT = "no_";

  /**
   * A line.
   *
   * @param conditions the conditions, each a name or several
   */
  public record Line(String key, String value, List<String> conditions) {

    private static Line of(String text, String conditions) {
      int end = text.indexOf(' ');
      return new Line(
          end < 0 ? text : text.substring(0, end),
          end < 0 ? "" : text.substring(end + 1),
          Arrays.stream(conditions.split(" ", -1)).filter(name -> !name.isEmpty()).toList());
    }

    /** {@return true if all conditions hold} */
    public boolean holds(Predicate<String> known) {
      return conditions.stream()
          .allMatch(names ->
              Arrays.stream(names.split("\\|", -1))
                  .anyMatch(name ->
                      name.startsWith(NOT)
                          ? !known.test(name.substring(NOT.length()))
                          : known.test(name)));
    }
  }

  /**
   * {@return the blocks of a resource}
   *
   * @param owner a class of the package of the resource
   */
  public static List<RuleBlock> read(Class<?> owner, String resource) {
    List<RuleBlock> blocks = new ArrayList<>();
    String ofBlock = "";
    String condition = "";
    try (Reader reader =
        new InputStreamReader(
            Objects.requireNonNull(owner.getResourceAsStream(resource)), StandardCharsets.UTF_8)) {
      for (String text : reader.readAllLines()) {
        Line line = Line.of(text, ofBlock + " " + condition);
        if (line.key().equals("=")) {
          blocks.add(new RuleBlock(new ArrayList<>()));
          ofBlock = line.value();
          condition = "";
        } else if (line.key().equals("if")) {
          condition = line.value();
        } else if (!text.isEmpty() && !text.startsWith("#")) {
          blocks.getLast().lines().add(line);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return blocks;
  }

  /** {@return the values of the lines with a key, in their order} */
  public Stream<String> values(String key) {
    return lines.stream().filter(line -> line.key().equals(key)).map(Line::value);
  }
}
