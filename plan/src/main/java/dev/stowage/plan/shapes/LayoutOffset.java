package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    return Parser.parse(text);
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

  /** Reads the text of formulas of offsets. */
  private static final class Parser {

    /*
     *   offset = largest | "roundup(" largest "," number ")"
     *   largest = part | "max(" part { "," part } ")"
     *   part = "end(" index ")" | expression
     */

    private static final Pattern END = Pattern.compile("end\\s*\\(\\s*(\\d{1,9})\\s*\\)");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private Parser() {}

    static LayoutOffset parse(String text) {
      String largest = text.strip();
      long multiple = 1;
      Optional<List<String>> rounded = arguments("roundup", largest);
      if (rounded.isPresent()) {
        List<String> arguments = rounded.get();
        if (arguments.size() != 2 || !NUMBER.matcher(arguments.getLast()).matches()) {
          throw new IllegalArgumentException(
              String.format(
                  Locale.ROOT,
                  "offset '%s': expected roundup(a, n) with a positive number n",
                  text));
        }
        largest = arguments.getFirst();
        multiple = Long.parseLong(arguments.getLast());
      }
      List<SizeExpression> expressions = new ArrayList<>();
      List<Integer> below = new ArrayList<>();
      for (String part : arguments("max", largest).orElse(List.of(largest))) {
        Matcher end = END.matcher(part);
        if (end.matches()) {
          below.add(Integer.valueOf(end.group(1)));
        } else {
          expressions.add(SizeExpression.parse(part));
        }
      }
      SizeExpression base =
          expressions.isEmpty() ? SizeExpression.ZERO : SizeExpression.largest(expressions);
      return new LayoutOffset(base, below, multiple);
    }

    /** {@return the arguments if the whole text is a call of a function} */
    private static Optional<List<String>> arguments(String function, String text) {
      if (!text.startsWith(function)
          || !text.substring(function.length()).stripLeading().startsWith("(")) {
        return Optional.empty();
      }
      List<String> arguments = new ArrayList<>();
      int start = text.indexOf('(') + 1;
      int depth = 1;
      boolean quoted = false;
      for (int i = start; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '\'') {
          quoted = !quoted;
        } else if (!quoted && c == '(') {
          depth++;
        } else if (!quoted && c == ')' && --depth == 0) {
          arguments.add(text.substring(start, i).strip());
          return i == text.length() - 1 ? Optional.of(arguments) : Optional.empty();
        } else if (!quoted && c == ',' && depth == 1) {
          arguments.add(text.substring(start, i).strip());
          start = i + 1;
        }
      }
      return Optional.empty();
    }
  }
}
