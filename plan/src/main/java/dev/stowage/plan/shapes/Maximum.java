package dev.stowage.plan.shapes;

import dev.stowage.plan.base.Alignment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** The largest of two or more expressions, in ascending order. */
record Maximum(List<SizeExpression> arguments) implements Atom {

  /** The number of arguments up to which each is compared with all others. */
  private static final int MAX_COMPARED = 64;

  Maximum {
    arguments = List.copyOf(arguments);
  }

  /** {@return the largest of some expressions, simplified} */
  static SizeExpression of(List<SizeExpression> expressions) {
    TreeSet<SizeExpression> flat = new TreeSet<>();
    for (SizeExpression expression : expressions) {
      addFlat(expression, flat);
    }
    List<SizeExpression> largest = withoutDominated(List.copyOf(flat));
    if (largest.size() == 1) {
      return largest.getFirst();
    }
    long content = 0;
    for (SizeExpression argument : largest) {
      content = Alignment.greatestCommonDivisor(argument.content(), content);
    }
    if (content <= 1) {
      return SizeExpression.of(new Maximum(largest));
    }
    List<SizeExpression> reduced = new ArrayList<>();
    for (SizeExpression argument : largest) {
      reduced.add(argument.dividedByContent(content));
    }
    return SizeExpression.of(new Maximum(reduced)).times(SizeExpression.of(content));
  }

  /** Adds an expression, or the arguments if it is a positive multiple of a maximum. */
  private static void addFlat(SizeExpression expression, Set<SizeExpression> flat) {
    if (expression.terms().size() == 1
        && expression.terms().getFirst() instanceof SizeExpression.Term(var monomial, var factor)
        && factor > 0
        && monomial.degree() == 1
        && monomial.factors().getFirst().atom() instanceof Maximum nested) {
      for (SizeExpression argument : nested.arguments()) {
        flat.add(argument.times(factor));
      }
    } else {
      flat.add(expression);
    }
  }

  /** {@return the arguments, except for those that another one is at least as large as} */
  private static List<SizeExpression> withoutDominated(List<SizeExpression> arguments) {
    if (arguments.size() > MAX_COMPARED) {
      return arguments;
    }
    List<SizeExpression> kept = new ArrayList<>(arguments);
    for (int i = kept.size() - 1; i >= 0; i--) {
      for (int j = 0; j < kept.size(); j++) {
        if (i != j && isAtLeast(kept.get(j), kept.get(i))) {
          kept.remove(i);
          break;
        }
      }
    }
    return kept;
  }

  private static boolean isAtLeast(SizeExpression a, SizeExpression b) {
    try {
      return a.minus(b).lowerBound().orElse(-1) >= 0;
    } catch (ArithmeticException e) {
      // The difference is too large to be an expression: both stay.
      return false;
    }
  }

  @Override
  public long evaluate(DimensionValues values) {
    long largest = Long.MIN_VALUE;
    for (SizeExpression argument : arguments) {
      largest = Math.max(largest, argument.evaluate(values));
    }
    return largest;
  }

  @Override
  public OptionalLong lowerBound() {
    return arguments.stream()
        .map(SizeExpression::lowerBound)
        .filter(OptionalLong::isPresent)
        .mapToLong(OptionalLong::getAsLong)
        .max();
  }

  @Override
  public OptionalLong upperBound() {
    return arguments.stream().allMatch(argument -> argument.upperBound().isPresent())
        ? arguments.stream().mapToLong(argument -> argument.upperBound().getAsLong()).max()
        : OptionalLong.empty();
  }

  @Override
  public void addDimensions(Set<String> names) {
    arguments.forEach(argument -> argument.addDimensions(names));
  }

  @Override
  public int partCount() {
    return arguments.stream().mapToInt(SizeExpression::partCount).sum();
  }

  @Override
  public int depth() {
    return 1 + arguments.stream().mapToInt(SizeExpression::depth).max().orElse(0);
  }

  @Override
  public int rank() {
    return 2;
  }

  @Override
  public int compareTo(Atom other) {
    if (!(other instanceof Maximum that)) {
      return Integer.compare(rank(), other.rank());
    }
    for (int i = 0; i < Math.min(arguments.size(), that.arguments.size()); i++) {
      int order = arguments.get(i).compareTo(that.arguments.get(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(arguments.size(), that.arguments.size());
  }
}
