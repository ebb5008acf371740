package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Bounds of polynomials that hold for all positive values of their dimensions. */
final class PositiveBounds {

  private PositiveBounds() {}

  /*
   * Each atom a with a known lower bound l is l + u, where u is not negative. The product of such
   * sums is a polynomial in the u. If no coefficient except for the constant is negative, the constant
   * is a lower bound. A negative term needs an upper bound of its atom.
   */

  /** The number of terms up to which a product is expanded. */
  private static final int MAX_TERMS = 1_000;

  /** {@return a number that no value of the polynomial is below; empty if unknown} */
  static OptionalLong below(Polynomial polynomial) {
    List<Polynomial.Term> shifted = new ArrayList<>();
    try {
      for (Polynomial.Term term : polynomial.terms()) {
        if (!addShifted(term, shifted)) {
          return OptionalLong.empty();
        }
      }
      Polynomial sum = Polynomial.sum(shifted);
      for (Polynomial.Term term : sum.terms()) {
        if (term.coefficient() < 0 && !term.monomial().isOne()) {
          return OptionalLong.empty();
        }
      }
      return OptionalLong.of(sum.constantTerm());
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** {@return a number that no value of the polynomial exceeds; empty if unknown} */
  static OptionalLong above(Polynomial polynomial) {
    try {
      OptionalLong below = below(polynomial.negated());
      return below.isPresent()
          ? OptionalLong.of(Math.negateExact(below.getAsLong()))
          : OptionalLong.empty();
    } catch (ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** {@return the bounds of the floor of a quotient} */
  static ValueBounds ofQuotient(Polynomial dividend, Polynomial divisor) {
    if (below(divisor).orElse(0) < 1) {
      return new ValueBounds(OptionalLong.empty(), OptionalLong.empty());
    }
    OptionalLong lower = below(dividend);
    OptionalLong upper = above(dividend);
    if (lower.isPresent()) {
      OptionalLong constant = divisor.constant();
      lower =
          OptionalLong.of(
              constant.isPresent()
                  ? Math.floorDiv(lower.getAsLong(), constant.getAsLong())
                  : Math.min(0, lower.getAsLong()));
    }
    if (upper.isPresent()) {
      upper = OptionalLong.of(Math.max(0, upper.getAsLong()));
    }
    return new ValueBounds(lower, upper);
  }

  /** {@return the bounds of the largest of some polynomials} */
  static ValueBounds ofLargest(List<Polynomial> polynomials) {
    OptionalLong lower =
        polynomials.stream().map(PositiveBounds::below).flatMapToLong(OptionalLong::stream).max();
    List<OptionalLong> upper = polynomials.stream().map(PositiveBounds::above).toList();
    return new ValueBounds(
        lower,
        upper.stream().allMatch(OptionalLong::isPresent)
            ? upper.stream().mapToLong(OptionalLong::getAsLong).max()
            : OptionalLong.empty());
  }

  /** Adds the terms of the shifted term; returns false if a bound of an atom is unknown. */
  private static boolean addShifted(Polynomial.Term term, List<Polynomial.Term> shifted) {
    OptionalLong above = negativeTermBound(term);
    if (above.isPresent()) {
      shifted.add(new Polynomial.Term(Monomial.ONE, above.getAsLong()));
      return true;
    }
    Polynomial product = Polynomial.of(term.coefficient());
    for (Monomial.Factor factor : term.monomial().factors()) {
      OptionalLong bound = factor.atom().bounds().lower();
      if (bound.isEmpty() || (bound.getAsLong() < 0 && term.monomial().degree() > 1)) {
        return false;
      }
      Polynomial value = Polynomial.of(factor.atom()).plus(bound.getAsLong());
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
  private static OptionalLong negativeTermBound(Polynomial.Term term) {
    if (term.coefficient() >= 0 || term.monomial().degree() != 1) {
      return OptionalLong.empty();
    }
    OptionalLong above = term.monomial().factors().getFirst().atom().bounds().upper();
    return above.isPresent()
        ? OptionalLong.of(Math.multiplyExact(term.coefficient(), above.getAsLong()))
        : OptionalLong.empty();
  }
}
