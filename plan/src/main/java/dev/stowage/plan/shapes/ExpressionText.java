package dev.stowage.plan.shapes;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The text of expressions. */
final class ExpressionText {

  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

  /** The names of functions, which dimensions have only in quotes. */
  static final Set<String> FUNCTIONS = Set.of("floor", "ceil", "max", "min", "roundup", "end");

  private ExpressionText() {}

  static String of(Polynomial polynomial) {
    if (polynomial.terms().isEmpty()) {
      return "0";
    }
    StringBuilder text = new StringBuilder();
    for (Polynomial.Term term : polynomial.terms()) {
      String part = term(term);
      if (text.isEmpty()) {
        text.append(part);
      } else if (part.startsWith("-")) {
        text.append(" - ").append(part, 1, part.length());
      } else {
        text.append(" + ").append(part);
      }
    }
    return text.toString();
  }

  /** {@return the text of a dimension's name, in quotes unless it is a plain name} */
  static String name(String name) {
    return PLAIN_NAME.matcher(name).matches() && !FUNCTIONS.contains(name)
        ? name
        : "'" + name.replace("'", "''") + "'";
  }

  private static String term(Polynomial.Term term) {
    long coefficient = term.coefficient();
    StringBuilder factors = new StringBuilder();
    boolean flipped = false;
    for (Monomial.Factor factor : term.monomial().factors()) {
      boolean flip = !flipped && coefficient < 0 && factor.power() == 1 && isMinimum(factor.atom());
      flipped |= flip;
      String text = flip ? minimum((Atom.Maximum) factor.atom()) : atom(factor.atom());
      for (int i = 0; i < factor.power(); i++) {
        factors.append('*').append(text);
      }
    }
    if (factors.isEmpty()) {
      return Long.toString(coefficient);
    }
    String number = Long.toString(coefficient);
    if (flipped) {
      number = number.substring(1);
    }
    return switch (number) {
      case "1" -> factors.substring(1);
      case "-1" -> "-" + factors.substring(1);
      default -> number + factors;
    };
  }

  /** Returns true if most arguments start with a minus, as those of a negated minimum do. */
  private static boolean isMinimum(Atom atom) {
    if (!(atom instanceof Atom.Maximum maximum)
        || maximum.arguments().stream().anyMatch(ExpressionText::isNotNegatable)) {
      return false;
    }
    long negative =
        maximum.arguments().stream()
            .filter(argument ->
                !argument.terms().isEmpty() && argument.terms().getFirst().coefficient() < 0)
            .count();
    return 2 * negative > maximum.arguments().size()
        || (2 * negative == maximum.arguments().size() && negative > 0);
  }

  private static boolean isNotNegatable(Polynomial polynomial) {
    return polynomial.terms().stream().anyMatch(term -> term.coefficient() == Long.MIN_VALUE);
  }

  private static String minimum(Atom.Maximum maximum) {
    return "min(" + join(maximum.arguments().stream().map(Polynomial::negated).toList()) + ")";
  }

  private static String atom(Atom atom) {
    return switch (atom) {
      case Atom.Dimension dimension -> name(dimension.name());
      case Atom.Quotient quotient ->
          "floor("
              + operand(quotient.dividend(), false)
              + "/"
              + operand(quotient.divisor(), true)
              + ")";
      case Atom.Maximum maximum -> "max(" + join(maximum.arguments()) + ")";
    };
  }

  private static String join(List<Polynomial> arguments) {
    return arguments.stream().map(ExpressionText::of).collect(Collectors.joining(", "));
  }

  /** {@return the text, in parentheses if it is a sum or, as a divisor, a product} */
  private static String operand(Polynomial polynomial, boolean isDivisor) {
    String text = of(polynomial);
    boolean simple =
        polynomial.terms().size() <= 1
            && (!isDivisor || polynomial.constant().isPresent() || polynomial.atom().isPresent());
    return simple ? text : "(" + text + ")";
  }
}
