package dev.stowage.plan.shapes;

import dev.stowage.plan.text.Message;

/**
 * The values that a dimension may have: all from the first to the last.
 *
 * @param name the name of the dimension, of any characters
 * @param first the smallest value
 * @param last the largest value, inclusive
 */
public record DimensionRange(String name, long first, long last) {

  /**
   * Creates a range.
   *
   * @throws IllegalArgumentException if the name is blank, {@code first < 1} or {@code first >
   *     last}
   */
  public DimensionRange {
    checkName(name);
    if (first < 1 || first > last) {
      throw Message.illegalArgument(
          "the range of dimension '%s' must satisfy 1 <= first <= last: first=%d, last=%d",
          name, first, last);
    }
  }

  static void checkName(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a dimension must not be blank");
    }
  }

  /** {@return the range as {@code name=first..last}} */
  @Override
  public String toString() {
    return name + "=" + (first == last ? "" + first : first + ".." + last);
  }
}
