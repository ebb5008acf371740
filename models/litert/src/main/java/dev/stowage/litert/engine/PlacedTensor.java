package dev.stowage.litert.engine;

import java.util.Locale;

/**
 * A tensor of the main subgraph at its place in the arena.
 *
 * @param index the index of the tensor in the subgraph
 * @param offset the offset in the arena
 * @param bytes the size
 * @param firstFill the operator before which its range is filled; {@link #NEVER} if the range has
 *     content then
 * @param lastFill the operator after which its range is filled; {@link #NEVER} if it stays in use
 * @param keptBytes the bytes at the start of the range that another tensor takes over
 */
public record PlacedTensor(
    int index, long offset, long bytes, int firstFill, int lastFill, long keptBytes) {

  /** No operator. */
  public static final int NEVER = -1;

  private static final int FIELDS = 6;

  /** {@return a line of text, which {@link #parse} reads} */
  public String toLine() {
    return String.format(
        Locale.ROOT, "%d %d %d %d %d %d", index, offset, bytes, firstFill, lastFill, keptBytes);
  }

  /**
   * {@return the tensor of a line}
   *
   * @throws IllegalArgumentException if the line does not have six numbers
   */
  static PlacedTensor parse(String line) {
    String[] fields = line.split(" ", -1);
    if (fields.length != FIELDS) {
      throw new IllegalArgumentException("expected six numbers: line=" + line);
    }
    return new PlacedTensor(
        Integer.parseInt(fields[0]),
        Long.parseLong(fields[1]),
        Long.parseLong(fields[2]),
        Integer.parseInt(fields[3]),
        Integer.parseInt(fields[4]),
        Long.parseLong(fields[5]));
  }
}
