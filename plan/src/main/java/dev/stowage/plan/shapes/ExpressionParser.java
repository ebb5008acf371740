package dev.stowage.plan.shapes;

import dev.stowage.plan.shapes.ExpressionNode.Factor;
import dev.stowage.plan.text.Message;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the text of one expression. */
final class ExpressionParser {

  /*
   *   sum      = product { ("+" | "-") product }
   *   product  = factor { ("*" | "/") factor }
   *   factor   = { "-" } ( number | name | "(" sum ")" | function "(" sum { "," sum } ")" )
   */

  /** The number of parentheses within each other; each takes a few frames of the stack. */
  private static final int MAX_NESTING = 200;

  private static final int MAX_CHARACTERS = 10_000;

  private static final Set<String> FUNCTIONS = Set.of("floor", "ceil", "max", "min", "roundup");

  private static final BigInteger LARGEST = BigInteger.valueOf(Long.MAX_VALUE);

  private final String text;
  private final Set<String> dimensions = new LinkedHashSet<>();
  private int position;
  private int nesting;

  ExpressionParser(String text) {
    this.text = text;
  }

  SizeExpression parse() {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "an expression must not have more than "
              + MAX_CHARACTERS
              + " characters: "
              + text.length());
    }
    ExpressionNode root = sum();
    skipBlanks();
    if (position < text.length()) {
      throw unexpected("an operator or the end");
    }
    return new SizeExpression(text.strip(), root, dimensions);
  }

  private ExpressionNode sum() {
    List<ExpressionNode> parts = new ArrayList<>();
    parts.add(product(false));
    while (true) {
      if (accept('+')) {
        parts.add(product(false));
      } else if (accept('-')) {
        parts.add(product(false).negated());
      } else {
        return ExpressionNode.of(parts, Interval::plus);
      }
    }
  }

  /** Reads a product; {@code isLastUp} rounds a division at its end up. */
  private ExpressionNode product(boolean isLastUp) {
    ExpressionNode start = factor();
    List<Factor> factors = new ArrayList<>();
    boolean isQuotient = false;
    while (true) {
      if (accept('*')) {
        factors.add(new Factor(Interval::times, factor()));
        isQuotient = false;
      } else if (accept('/')) {
        factors.add(new Factor(Interval::floorDivide, factor()));
        isQuotient = true;
      } else {
        if (isLastUp && isQuotient) {
          factors.add(new Factor(Interval::ceilingDivide, factors.removeLast().part()));
        }
        return ExpressionNode.product(start, factors);
      }
    }
  }

  private ExpressionNode factor() {
    boolean negative = false;
    while (accept('-')) {
      negative = !negative;
    }
    ExpressionNode factor = primary();
    return negative ? factor.negated() : factor;
  }

  private ExpressionNode primary() {
    skipBlanks();
    if (position == text.length()) {
      throw unexpected("a number, a dimension or a parenthesis");
    }
    char next = text.charAt(position);
    if (next >= '0' && next <= '9') {
      return number();
    }
    if (next == '\'') {
      return dimension(quotedName());
    }
    if (next == '(') {
      enter();
      ExpressionNode inner = sum();
      leave();
      return inner;
    }
    if (!isNameStart(next)) {
      throw unexpected("a number, a dimension or a parenthesis");
    }
    int start = position;
    while (position < text.length() && isNamePart(text.charAt(position))) {
      position++;
    }
    String name = text.substring(start, position);
    skipBlanks();
    return position < text.length() && text.charAt(position) == '('
        ? function(name, start)
        : dimension(name);
  }

  private ExpressionNode function(String name, int start) {
    check(FUNCTIONS.contains(name), start, "a function: floor, ceil, max, min or roundup");
    enter();
    if (name.equals("ceil")) {
      ExpressionNode product = product(true);
      leave();
      return product;
    }
    List<ExpressionNode> arguments = new ArrayList<>();
    boolean isNumber;
    do {
      skipBlanks();
      int from = position;
      arguments.add(sum());
      isNumber = text.substring(from, position).strip().matches("0*[1-9][0-9]*");
    } while (accept(','));
    leave();
    return switch (name) {
      case "max" -> ExpressionNode.of(arguments, Interval::max);
      case "min" ->
          ExpressionNode.of(arguments.stream().map(ExpressionNode::negated).toList(), Interval::max)
              .negated();
      case "roundup" -> {
        boolean isRoundUp = isNumber && arguments.size() == 2;
        check(isRoundUp, start, "roundup(a, n) with a positive number n");
        yield ExpressionNode.product(
            arguments.getFirst(),
            List.of(
                new Factor(Interval::ceilingDivide, arguments.getLast()),
                new Factor(Interval::times, arguments.getLast())));
      }
      default -> {
        check(arguments.size() == 1, start, "one argument of floor");
        yield arguments.getFirst();
      }
    };
  }

  private void check(boolean isExpected, int start, String expected) {
    if (!isExpected) {
      position = start;
      throw unexpected(expected);
    }
  }

  private void enter() {
    position++;
    if (++nesting > MAX_NESTING) {
      throw Message.illegalArgument(
          "expression '%s' has more than %d parentheses within each other",
          shortened(text), MAX_NESTING);
    }
  }

  private void leave() {
    if (!accept(')')) {
      throw unexpected("an operator or ')'");
    }
    nesting--;
  }

  private ExpressionNode number() {
    int start = position;
    while (position < text.length()
        && text.charAt(position) >= '0'
        && text.charAt(position) <= '9') {
      position++;
    }
    BigInteger value = new BigInteger(text.substring(start, position));
    if (value.compareTo(LARGEST) > 0) {
      throw Message.illegalArgument(
          "expression '%s': a number must not exceed 2^63 - 1: %s",
          shortened(text), shortened(value.toString()));
    }
    return _ -> Interval.of(value);
  }

  private String quotedName() {
    StringBuilder name = new StringBuilder();
    position++;
    while (position < text.length()) {
      char next = text.charAt(position++);
      if (next != '\'') {
        name.append(next);
      } else if (position < text.length() && text.charAt(position) == '\'') {
        name.append('\'');
        position++;
      } else {
        return name.toString();
      }
    }
    throw unexpected("a closing quote");
  }

  private ExpressionNode dimension(String name) {
    DimensionRange.checkName(name);
    dimensions.add(name);
    return values -> values.apply(name);
  }

  private boolean accept(char expected) {
    skipBlanks();
    if (position < text.length() && text.charAt(position) == expected) {
      position++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
      position++;
    }
  }

  private static boolean isNameStart(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isNamePart(char c) {
    return isNameStart(c) || (c >= '0' && c <= '9') || c == '.';
  }

  private IllegalArgumentException unexpected(String expected) {
    String found =
        position >= text.length()
            ? "the end"
            : "'" + text.substring(position, Math.min(text.length(), position + 20)) + "'";
    return new IllegalArgumentException(
        Message.of(
            "expression '%s': expected %s at character %d, found %s",
            shortened(text), expected, position + 1, found));
  }

  static String shortened(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
