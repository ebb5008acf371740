package dev.stowage.fleet.result;

import dev.stowage.fleet.item.ItemId;

/**
 * A line of {@code results.jsonl} in tables.
 *
 * @param item the item
 * @param seconds the time of the command
 * @param exitCode the exit code of the command
 * @param isCut true if a limit of time may have changed the result
 * @param error the reason why there is no result; empty if there is one
 * @param figures the figures of the result
 */
public record ResultRow(
    ItemId item, double seconds, int exitCode, boolean isCut, String error, Figures figures) {

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
        new ItemId(tree.text("key"), tree.text("input"), tree.texts("options")),
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
