package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The formula of one record's offset: the largest of an expression and the ends of other records,
 * rounded up to a multiple.
 *
 * <p>The text of a formula is {@code max(4096*batch, end(3), end(7))}, where {@code end(3)} is the
 * offset of record 3 plus its size. {@code roundup(…, 64)} rounds up to a multiple of 64.
 *
 * @param base the expression; it is a part of the text if it is not 0 or no record lies below
 * @param below the indices of the records below which the record does not start, ascending
 * @param multiple the number that the offset is rounded up to a multiple of; 1 for none
 */
public record LayoutOffset(SizeExpression base, List<Integer> below, long multiple) {

  /**
   * Creates a formula.
   *
   * @throws IllegalArgumentException if {@code multiple < 1}, or an index is negative or occurs
   *     twice
   */
  public LayoutOffset {
    below = below.stream().sorted().toList();
    if (multiple < 1) {
      throw new IllegalArgumentException("multiple must be positive: multiple=" + multiple);
    }
    for (int i = 0; i < below.size(); i++) {
      if (below.get(i) < 0 || (i > 0 && below.get(i).equals(below.get(i - 1)))) {
        throw new IllegalArgumentException(
            "below must contain different indices of records: below=" + below);
      }
    }
  }

  /**
   * {@return an offset that is an expression}
   *
   * @param expression the offset
   */
  public static LayoutOffset of(SizeExpression expression) {
    return new LayoutOffset(expression, List.of(), 1);
  }

  /**
   * {@return an offset at the end of the highest of some records}
   *
   * @param below the indices of the records
   * @param multiple the number that the offset is rounded up to a multiple of; 1 for none
   * @throws IllegalArgumentException as for the constructor
   */
  public static LayoutOffset above(List<Integer> below, long multiple) {
    return new LayoutOffset(SizeExpression.ZERO, below, multiple);
  }

  /**
   * Reads a formula.
   *
   * @param text the formula, as {@link #toString} returns it
   * @return the formula
   * @throws IllegalArgumentException if the text is not a formula
   */
  public static LayoutOffset parse(String text) {
    return LayoutOffsetParser.parse(text);
  }

  /** {@return the formula as text that {@link #parse} reads back} */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    if (below.isEmpty() || !base.equals(SizeExpression.ZERO)) {
      parts.add(base.toString());
    }
    below.forEach(index -> parts.add(String.format(Locale.ROOT, "end(%d)", index)));
    String largest = parts.size() == 1 ? parts.getFirst() : "max(" + String.join(", ", parts) + ")";
    return multiple == 1
        ? largest
        : String.format(Locale.ROOT, "roundup(%s, %d)", largest, multiple);
  }
}
