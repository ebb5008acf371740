package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Bounds of expressions that hold for all positive values of their dimensions. */
final class PositiveBounds {

  private PositiveBounds() {}

  /*
   * Each atom a with a known lower bound l is l + u, where u is not negative. The product of such
   * sums is a polynomial in the u. If no coefficient except for the constant is negative, the constant
   * is a lower bound. A negative term needs an upper bound of its atom.
   */

  /** The number of terms up to which a product is expanded. */
  private static final int MAX_TERMS = 1_000;

  /** {@return a number that no value of the expression is below; empty if unknown} */
  static OptionalLong below(SizeExpression expression) {
    List<SizeExpression.Term> shifted = new ArrayList<>();
    try {
      for (SizeExpression.Term term : expression.terms()) {
        if (!addShifted(term, shifted)) {
          return OptionalLong.empty();
        }
      }
      SizeExpression sum = SizeExpression.sum(shifted);
      for (SizeExpression.Term term : sum.terms()) {
        if (term.coefficient() < 0 && !term.monomial().isOne()) {
          return OptionalLong.empty();
        }
      }
      return OptionalLong.of(sum.constantTerm());
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** {@return a number that no value of the expression exceeds; empty if unknown} */
  static OptionalLong above(SizeExpression expression) {
    try {
      OptionalLong below = below(expression.negated());
      return below.isPresent()
          ? OptionalLong.of(Math.negateExact(below.getAsLong()))
          : OptionalLong.empty();
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** Adds the terms of the shifted term; returns false if a bound of an atom is unknown. */
  private static boolean addShifted(SizeExpression.Term term, List<SizeExpression.Term> shifted) {
    OptionalLong above = negativeTermBound(term);
    if (above.isPresent()) {
      shifted.add(new SizeExpression.Term(Monomial.ONE, above.getAsLong()));
      return true;
    }
    SizeExpression product = SizeExpression.of(term.coefficient());
    for (Monomial.Factor factor : term.monomial().factors()) {
      OptionalLong bound = factor.atom().lowerBound();
      if (bound.isEmpty() || (bound.getAsLong() < 0 && term.monomial().degree() > 1)) {
        return false;
      }
      SizeExpression value = SizeExpression.of(factor.atom()).plus(bound.getAsLong());
      for (int i = 0; i < factor.power(); i++) {
        product = product.times(value);
        if (product.terms().size() > MAX_TERMS) {
          return false;
        }
      }
    }
    shifted.addAll(product.terms());
    return true;
  }

  /** {@return the lower bound of a negative multiple of an atom with a known upper bound} */
  private static OptionalLong negativeTermBound(SizeExpression.Term term) {
    if (term.coefficient() >= 0 || term.monomial().degree() != 1) {
      return OptionalLong.empty();
    }
    OptionalLong above = term.monomial().factors().getFirst().atom().upperBound();
    return above.isPresent()
        ? OptionalLong.of(Math.multiplyExact(term.coefficient(), above.getAsLong()))
        : OptionalLong.empty();
  }
}
