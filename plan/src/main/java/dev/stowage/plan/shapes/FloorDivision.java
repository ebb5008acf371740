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
  static Polynomial of(Polynomial dividend, Polynomial divisor) {
    if (divisor.constant().isPresent()) {
      long value = divisor.constant().getAsLong();
      if (value <= 0) {
        throw new IllegalArgumentException("divisor must be positive: divisor=" + value);
      }
      return byConstant(dividend, value);
    }
    if (PositiveBounds.below(divisor).orElse(0) < 1) {
      // The divisor may be 0 or negative: evaluation has to find out.
      return atom(dividend, divisor);
    }
    return byPositive(dividend, divisor);
  }

  /** {@return a quotient rounded up, as the floor of another one} */
  static Polynomial ceiling(Polynomial dividend, Polynomial divisor) {
    return of(dividend.plus(divisor).plus(-1), divisor);
  }

  /**
   * Divides by a constant c. Each coefficient is q*c + r: the q leave the floor, and the r, from 0
   * to c - 1, stay.
   */
  private static Polynomial byConstant(Polynomial dividend, long divisor) {
    List<Polynomial.Term> whole = new ArrayList<>();
    List<Polynomial.Term> rest = new ArrayList<>();
    long common = divisor;
    for (Polynomial.Term term : dividend.terms()) {
      long remainder = Math.floorMod(term.coefficient(), divisor);
      whole.add(new Polynomial.Term(term.monomial(), Math.floorDiv(term.coefficient(), divisor)));
      rest.add(new Polynomial.Term(term.monomial(), remainder));
      if (!term.monomial().isOne()) {
        common = Alignment.greatestCommonDivisor(common, remainder);
      }
    }
    Polynomial quotient = Polynomial.sum(whole);
    if (common == divisor) {
      // Only a constant below the divisor is left.
      return quotient;
    }
    List<Polynomial.Term> reduced = new ArrayList<>();
    for (Polynomial.Term term : rest) {
      reduced.add(new Polynomial.Term(term.monomial(), term.coefficient() / common));
    }
    return quotient.plus(atom(Polynomial.sum(reduced), divisor / common));
  }

  /** {@return the floor of a quotient; one of floor(a/b) + k over c is (a + k*b) over b*c} */
  private static Polynomial atom(Polynomial dividend, long divisor) {
    Polynomial variable = dividend.plus(Math.negateExact(dividend.constantTerm()));
    if (variable.atom().orElse(null) instanceof Atom.Quotient inner
        && inner.divisor().constant().isPresent()) {
      long innerDivisor = inner.divisor().constant().getAsLong();
      return byConstant(
          inner.dividend().plus(Math.multiplyExact(dividend.constantTerm(), innerDivisor)),
          Math.multiplyExact(innerDivisor, divisor));
    }
    return atom(dividend, Polynomial.of(divisor));
  }

  private static Polynomial atom(Polynomial dividend, Polynomial divisor) {
    return Polynomial.of(
        new Atom.Quotient(dividend, divisor, PositiveBounds.ofQuotient(dividend, divisor)));
  }

  /** Divides by an expression that is at least 1. */
  private static Polynomial byPositive(Polynomial dividend, Polynomial divisor) {
    Optional<Polynomial> exact = exactly(dividend, divisor);
    if (exact.isPresent()) {
      return exact.get();
    }
    Polynomial.Term lead = divisor.terms().getFirst();
    List<Polynomial.Term> whole = new ArrayList<>();
    Polynomial rest = dividend;
    if (divisor.terms().size() == 1) {
      List<Polynomial.Term> remainders = new ArrayList<>();
      for (Polynomial.Term term : dividend.terms()) {
        Optional<Monomial> monomial = term.monomial().dividedBy(lead.monomial());
        if (monomial.isPresent()) {
          whole.add(
              new Polynomial.Term(
                  monomial.get(), Math.floorDiv(term.coefficient(), lead.coefficient())));
          remainders.add(
              new Polynomial.Term(
                  term.monomial(), Math.floorMod(term.coefficient(), lead.coefficient())));
        } else {
          remainders.add(term);
        }
      }
      rest = Polynomial.sum(remainders);
    }
    return Polynomial.sum(whole).plus(reduced(rest, divisor));
  }

  /** {@return the floor of a quotient, after both are divided by their common factors} */
  private static Polynomial reduced(Polynomial dividend, Polynomial divisor) {
    if (PositiveBounds.below(dividend).orElse(-1) >= 0
        && PositiveBounds.below(divisor.minus(dividend)).orElse(0) >= 1) {
      return Polynomial.ZERO;
    }
    long content = Alignment.greatestCommonDivisor(dividend.content(), divisor.content());
    Monomial common = commonMonomial(divisor, commonMonomial(dividend, Monomial.ONE, true), false);
    if (content <= 1 && common.isOne()) {
      return atom(dividend, divisor);
    }
    return of(
        divided(dividend, common, Math.max(1, content)),
        divided(divisor, common, Math.max(1, content)));
  }

  /** {@return the factors of all terms, among those that are at least 1} */
  private static Monomial commonMonomial(Polynomial expression, Monomial start, boolean restart) {
    Monomial common = start;
    boolean first = restart;
    for (Polynomial.Term term : expression.terms()) {
      common = first ? positiveFactors(term.monomial()) : common.commonDivisor(term.monomial());
      first = false;
    }
    return common;
  }

  private static Monomial positiveFactors(Monomial monomial) {
    return new Monomial(
        monomial.factors().stream()
            .filter(factor -> factor.atom().bounds().lower().orElse(0) >= 1)
            .toList());
  }

  private static Polynomial divided(Polynomial expression, Monomial common, long content) {
    List<Polynomial.Term> divided = new ArrayList<>();
    for (Polynomial.Term term : expression.terms()) {
      divided.add(
          new Polynomial.Term(
              term.monomial().dividedBy(common).orElseThrow(), term.coefficient() / content));
    }
    return Polynomial.sum(divided);
  }

  /** {@return the quotient of two polynomials if there is no remainder} */
  private static Optional<Polynomial> exactly(Polynomial dividend, Polynomial divisor) {
    Polynomial.Term lead = divisor.terms().getFirst();
    Polynomial quotient = Polynomial.ZERO;
    Polynomial rest = dividend;
    for (int step = 0; step < MAX_STEPS; step++) {
      if (rest.terms().isEmpty()) {
        return Optional.of(quotient);
      }
      Polynomial.Term first = rest.terms().getFirst();
      Optional<Monomial> monomial = first.monomial().dividedBy(lead.monomial());
      if (monomial.isEmpty() || first.coefficient() % lead.coefficient() != 0) {
        return Optional.empty();
      }
      Polynomial part = Polynomial.of(monomial.get(), first.coefficient() / lead.coefficient());
      quotient = quotient.plus(part);
      rest = rest.minus(part.times(divisor));
    }
    return Optional.empty();
  }
}
