package dev.stowage.plan.shapes;

import dev.stowage.plan.base.Alignment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The simplification of quotients that are rounded down. */
final class FloorDivision {

  private FloorDivision() {}

  /** The number of steps after which a division of polynomials ends without a result. */
  private static final int MAX_STEPS = 1_000;

  /**
   * {@return the floor of a quotient, simplified}
   *
   * @throws IllegalArgumentException if the divisor is a constant that is not positive
   */
  static SizeExpression of(SizeExpression dividend, SizeExpression divisor) {
    if (divisor.constant().isPresent()) {
      long value = divisor.constant().getAsLong();
      if (value <= 0) {
        throw new IllegalArgumentException("divisor must be positive: divisor=" + value);
      }
      return byConstant(dividend, value);
    }
    if (divisor.lowerBound().orElse(0) < 1) {
      // The divisor may be 0 or negative: evaluation has to find out.
      return SizeExpression.of(new Quotient(dividend, divisor));
    }
    return byPositive(dividend, divisor);
  }

  /**
   * Divides by a constant c. Each coefficient is q*c + r: the q leave the floor, and the r, from 0
   * to c - 1, stay.
   */
  private static SizeExpression byConstant(SizeExpression dividend, long divisor) {
    List<SizeExpression.Term> whole = new ArrayList<>();
    List<SizeExpression.Term> rest = new ArrayList<>();
    long common = divisor;
    for (SizeExpression.Term term : dividend.terms()) {
      long remainder = Math.floorMod(term.coefficient(), divisor);
      whole.add(
          new SizeExpression.Term(term.monomial(), Math.floorDiv(term.coefficient(), divisor)));
      rest.add(new SizeExpression.Term(term.monomial(), remainder));
      if (!term.monomial().isOne()) {
        common = Alignment.greatestCommonDivisor(common, remainder);
      }
    }
    SizeExpression quotient = SizeExpression.sum(whole);
    if (common == divisor) {
      // Only a constant below the divisor is left.
      return quotient;
    }
    List<SizeExpression.Term> reduced = new ArrayList<>();
    for (SizeExpression.Term term : rest) {
      reduced.add(new SizeExpression.Term(term.monomial(), term.coefficient() / common));
    }
    return quotient.plus(atom(SizeExpression.sum(reduced), divisor / common));
  }

  /** {@return the floor of a quotient; one of floor(a/b) + k over c is (a + k*b) over b*c} */
  private static SizeExpression atom(SizeExpression dividend, long divisor) {
    SizeExpression variable = dividend.plus(Math.negateExact(dividend.constantTerm()));
    if (variable.atom().orElse(null) instanceof Quotient inner
        && inner.divisor().constant().isPresent()) {
      long innerDivisor = inner.divisor().constant().getAsLong();
      return byConstant(
          inner.dividend().plus(Math.multiplyExact(dividend.constantTerm(), innerDivisor)),
          Math.multiplyExact(innerDivisor, divisor));
    }
    return SizeExpression.of(new Quotient(dividend, SizeExpression.of(divisor)));
  }

  /** Divides by an expression that is at least 1. */
  private static SizeExpression byPositive(SizeExpression dividend, SizeExpression divisor) {
    Optional<SizeExpression> exact = exactly(dividend, divisor);
    if (exact.isPresent()) {
      return exact.get();
    }
    SizeExpression.Term lead = divisor.terms().getFirst();
    List<SizeExpression.Term> whole = new ArrayList<>();
    SizeExpression rest = dividend;
    if (divisor.terms().size() == 1) {
      List<SizeExpression.Term> remainders = new ArrayList<>();
      for (SizeExpression.Term term : dividend.terms()) {
        Optional<Monomial> monomial = term.monomial().dividedBy(lead.monomial());
        if (monomial.isPresent()) {
          whole.add(
              new SizeExpression.Term(
                  monomial.get(), Math.floorDiv(term.coefficient(), lead.coefficient())));
          remainders.add(
              new SizeExpression.Term(
                  term.monomial(), Math.floorMod(term.coefficient(), lead.coefficient())));
        } else {
          remainders.add(term);
        }
      }
      rest = SizeExpression.sum(remainders);
    }
    return SizeExpression.sum(whole).plus(reduced(rest, divisor));
  }

  /** {@return the floor of a quotient, after both are divided by their common factors} */
  private static SizeExpression reduced(SizeExpression dividend, SizeExpression divisor) {
    if (dividend.lowerBound().orElse(-1) >= 0
        && divisor.minus(dividend).lowerBound().orElse(0) >= 1) {
      return SizeExpression.ZERO;
    }
    long content = Alignment.greatestCommonDivisor(dividend.content(), divisor.content());
    Monomial common = commonMonomial(divisor, commonMonomial(dividend, Monomial.ONE, true), false);
    if (content <= 1 && common.isOne()) {
      return SizeExpression.of(new Quotient(dividend, divisor));
    }
    return of(
        divided(dividend, common, Math.max(1, content)),
        divided(divisor, common, Math.max(1, content)));
  }

  /** {@return the factors of all terms, among those that are at least 1} */
  private static Monomial commonMonomial(
      SizeExpression expression, Monomial start, boolean restart) {
    Monomial common = start;
    boolean first = restart;
    for (SizeExpression.Term term : expression.terms()) {
      common = first ? positiveFactors(term.monomial()) : common.commonDivisor(term.monomial());
      first = false;
    }
    return common;
  }

  private static Monomial positiveFactors(Monomial monomial) {
    return new Monomial(
        monomial.factors().stream()
            .filter(factor -> factor.atom().lowerBound().orElse(0) >= 1)
            .toList());
  }

  private static SizeExpression divided(SizeExpression expression, Monomial common, long content) {
    List<SizeExpression.Term> divided = new ArrayList<>();
    for (SizeExpression.Term term : expression.terms()) {
      divided.add(
          new SizeExpression.Term(
              term.monomial().dividedBy(common).orElseThrow(), term.coefficient() / content));
    }
    return SizeExpression.sum(divided);
  }

  /** {@return the quotient of two polynomials if there is no remainder} */
  private static Optional<SizeExpression> exactly(SizeExpression dividend, SizeExpression divisor) {
    SizeExpression.Term lead = divisor.terms().getFirst();
    SizeExpression quotient = SizeExpression.ZERO;
    SizeExpression rest = dividend;
    for (int step = 0; step < MAX_STEPS; step++) {
      if (rest.terms().isEmpty()) {
        return Optional.of(quotient);
      }
      SizeExpression.Term first = rest.terms().getFirst();
      Optional<Monomial> monomial = first.monomial().dividedBy(lead.monomial());
      if (monomial.isEmpty() || first.coefficient() % lead.coefficient() != 0) {
        return Optional.empty();
      }
      SizeExpression part =
          SizeExpression.of(monomial.get(), first.coefficient() / lead.coefficient());
      quotient = quotient.plus(part);
      rest = rest.minus(part.times(divisor));
    }
    return Optional.empty();
  }
}
