package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads the text of one expression. */
final class ExpressionParser {

  /*
   *   sum      = product { ("+" | "-") product }
   *   product  = factor { ("*" | "/") factor }
   *   factor   = { "-" } ( number | name | "(" sum ")" | function "(" sum { "," sum } ")" )
   */

  /** The number of parentheses within each other; each takes a few frames of the stack. */
  private static final int MAX_NESTING = 200;

  private static final int MAX_CHARACTERS = 100_000;

  private final String text;
  private int position;
  private int nesting;

  ExpressionParser(String text) {
    this.text = text;
  }

  /** A product whose last division has not been carried out, so that {@code ceil} can round up. */
  private record Product(Polynomial dividend, Optional<Polynomial> divisor) {

    Polynomial floor() {
      return divisor.isPresent() ? FloorDivision.of(dividend, divisor.get()) : dividend;
    }

    Polynomial ceiling() {
      return divisor.isPresent() ? FloorDivision.ceiling(dividend, divisor.get()) : dividend;
    }
  }

  Polynomial parse() {
    if (text.length() > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "an expression must not have more than "
              + MAX_CHARACTERS
              + " characters: "
              + text.length());
    }
    Polynomial expression;
    try {
      expression = sum();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "expression '%s' is too large: %s", shortened(), e.getMessage()),
          e);
    }
    skipBlanks();
    if (position < text.length()) {
      throw unexpected("an operator or the end");
    }
    return expression;
  }

  private Polynomial sum() {
    Polynomial sum = product().floor();
    while (true) {
      if (accept('+')) {
        sum = sum.plus(product().floor());
      } else if (accept('-')) {
        sum = sum.minus(product().floor());
      } else {
        return sum;
      }
    }
  }

  private Product product() {
    Product product = new Product(factor(), Optional.empty());
    while (true) {
      if (accept('*')) {
        product = new Product(product.floor().times(factor()), Optional.empty());
      } else if (accept('/')) {
        product = new Product(product.floor(), Optional.of(factor()));
      } else {
        return product;
      }
    }
  }

  private Polynomial factor() {
    boolean negative = false;
    while (accept('-')) {
      negative = !negative;
    }
    Polynomial factor = primary(negative);
    return negative ? factor.negated() : factor;
  }

  private Polynomial primary(boolean negative) {
    skipBlanks();
    if (position == text.length()) {
      throw unexpected("a number, a dimension or a parenthesis");
    }
    char next = text.charAt(position);
    if (next >= '0' && next <= '9') {
      return number(negative);
    }
    if (next == '\'') {
      return dimension(quotedName());
    }
    if (next == '(') {
      return inParentheses();
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

  private Polynomial inParentheses() {
    enter();
    Polynomial inner = sum();
    leave();
    return inner;
  }

  private Polynomial function(String name, int start) {
    if (name.equals("ceil")) {
      enter();
      Product product = product();
      leave();
      return product.ceiling();
    }
    if (!ExpressionText.FUNCTIONS.contains(name) || name.equals("end")) {
      position = start;
      throw unexpected("a function: floor, ceil, max, min or roundup");
    }
    enter();
    List<Polynomial> arguments = new ArrayList<>();
    do {
      arguments.add(sum());
    } while (accept(','));
    leave();
    return switch (name) {
      case "max" -> LargestOf.of(arguments);
      case "min" -> LargestOf.of(arguments.stream().map(Polynomial::negated).toList()).negated();
      case "roundup" -> roundUp(arguments, start);
      default -> {
        if (arguments.size() != 1) {
          position = start;
          throw unexpected("one argument of floor");
        }
        yield arguments.getFirst();
      }
    };
  }

  private Polynomial roundUp(List<Polynomial> arguments, int start) {
    if (arguments.size() != 2 || arguments.getLast().constant().orElse(0) < 1) {
      position = start;
      throw unexpected("roundup(a, n) with a positive number n");
    }
    return FloorDivision.ceiling(arguments.getFirst(), arguments.getLast())
        .times(arguments.getLast());
  }

  private void enter() {
    position++;
    if (++nesting > MAX_NESTING) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "expression '%s' has more than %d parentheses within each other",
              shortened(),
              MAX_NESTING));
    }
  }

  private void leave() {
    if (!accept(')')) {
      throw unexpected("an operator or ')'");
    }
    nesting--;
  }

  private Polynomial number(boolean negative) {
    int start = position;
    while (position < text.length()
        && text.charAt(position) >= '0'
        && text.charAt(position) <= '9') {
      position++;
    }
    String digits = text.substring(start, position);
    try {
      // The smallest long has no positive counterpart.
      return negative && digits.equals("9223372036854775808")
          ? Polynomial.of(Long.MIN_VALUE)
          : Polynomial.of(Long.parseLong(digits));
    } catch (NumberFormatException e) {
      throw new ArithmeticException("a number must not exceed 2^63 - 1: " + digits);
    }
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

  private static Polynomial dimension(String name) {
    DimensionRange.checkName(name);
    return Polynomial.of(new Atom.Dimension(name));
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
        String.format(
            Locale.ROOT,
            "expression '%s': expected %s at character %d, found %s",
            shortened(),
            expected,
            position + 1,
            found));
  }

  private String shortened() {
    return text.length() <= 100 ? text : text.substring(0, 100) + "…";
  }
}
