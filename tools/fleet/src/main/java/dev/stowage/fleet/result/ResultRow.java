package dev.stowage.fleet.result;

import java.util.List;

/**
 * A line of {@code results.jsonl} in tables.
 *
 * @param key the key of the item
 * @param input the path of the file
 * @param options the options of the command
 * @param seconds the time of the command
 * @param exitCode the exit code of the command
 * @param isCut true if a limit of time may have changed the result
 * @param error the reason why there is no result; empty if there is one
 * @param figures the figures of the result
 */
public record ResultRow(
    String key,
    String input,
    List<String> options,
    double seconds,
    int exitCode,
    boolean isCut,
    String error,
    Figures figures) {

  /** Creates a row. */
  public ResultRow {
    options = List.copyOf(options);
  }

  /**
   * {@return the row of a line}
   *
   * @param line a line of {@code results.jsonl}
   * @throws IllegalArgumentException if the line is not valid
   */
  public static ResultRow parse(String line) {
    JsonTree tree = JsonTree.parse(line);
    if (tree.text("key").isEmpty()) {
      throw new IllegalArgumentException("it has no key");
    }
    return new ResultRow(
        tree.text("key"),
        tree.text("input"),
        tree.texts("options"),
        tree.decimal("seconds"),
        (int) tree.number("exit").orElse(0),
        tree.isTrue("cut"),
        tree.text("error"),
        Figures.of(tree.objects("result")));
  }

  /** {@return true if the item has no result} */
  public boolean isFailed() {
    return !error.isEmpty();
  }
}
