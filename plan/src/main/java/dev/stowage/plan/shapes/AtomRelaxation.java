package dev.stowage.plan.shapes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Proofs that replace floors and maximums by simpler expressions that are not larger. */
final class AtomRelaxation {

  /*
   * Let e = r + m*a, where a is a floor or a maximum and m is a polynomial whose sign is known.
   *
   *   m >= 0, a = max(x, y):     e >= r + m*x, e >= r + m*y and 2*e >= 2*r + m*(x + y): one suffices
   *   m <= 0, a = max(x, y):     e is the smaller one of r + m*x and r + m*y: both are needed
   *   m >= 0, a = floor(n/d):    d*a >= n - d + 1, so d*e >= d*r + m*(n - d + 1)
   *   m <= 0, a = floor(n/d):    d*a <= n, so d*e >= d*r + m*n
   *
   * e is an integer: it is not negative if d*e > -d.
   */

  /** The number of replacements within each other. */
  private static final int MAX_DEPTH = 6;

  /** The number of expressions that are tried in total. */
  private static final int MAX_TRIALS = 200;

  private final ShapeBox box;
  private int trials;

  private AtomRelaxation(ShapeBox box) {
    this.box = box;
  }

  /** {@return true if a proof was found} */
  static boolean isNotNegative(Polynomial expression, ShapeBox box) {
    return new AtomRelaxation(box).isProved(expression, 0);
  }

  private boolean isProved(Polynomial expression, int depth) {
    if (++trials > MAX_TRIALS) {
      return false;
    }
    try {
      Polynomial reduced = withoutCommonFactor(expression);
      if (box.bounds(reduced).first() >= 0 || box.shiftedBound(reduced).orElse(-1L) >= 0) {
        return true;
      }
      if (depth == MAX_DEPTH) {
        return false;
      }
      for (Atom atom : atoms(reduced)) {
        if (isProvedWithout(reduced, atom, depth)) {
          return true;
        }
      }
    } catch (ArithmeticException e) {
      // The relaxed expression is too large: other proofs may exist.
      return false;
    }
    return false;
  }

  private boolean isProvedWithout(Polynomial expression, Atom atom, int depth) {
    List<Polynomial.Term> rest = new ArrayList<>();
    List<Polynomial.Term> multiplier = new ArrayList<>();
    for (Polynomial.Term term : expression.terms()) {
      Optional<Monomial> quotient = term.monomial().dividedBy(Monomial.of(atom));
      if (quotient.isPresent()) {
        multiplier.add(new Polynomial.Term(quotient.get(), term.coefficient()));
      } else {
        rest.add(term);
      }
    }
    Polynomial m = Polynomial.sum(multiplier);
    Polynomial r = Polynomial.sum(rest);
    boolean up = isPlainlyNotNegative(m);
    if (!up && !isPlainlyNotNegative(m.negated())) {
      return false;
    }
    return switch (atom) {
      case Atom.Dimension dimension -> false;
      case Atom.Maximum maximum -> {
        for (Polynomial argument : maximum.arguments()) {
          if (isProved(r.plus(m.times(argument)), depth + 1) == up) {
            yield up;
          }
        }
        // A maximum is also at least the mean of its arguments.
        yield !up || isProved(aboveMean(r, m, maximum), depth + 1);
      }
      case Atom.Quotient quotient -> {
        Polynomial n = quotient.dividend();
        Polynomial d = quotient.divisor();
        if (box.bounds(d).first() < 1) {
          yield false;
        }
        Polynomial bound = up ? n.minus(d).plus(1) : n;
        yield isProved(r.times(d).plus(m.times(bound)).plus(d).plus(-1), depth + 1);
      }
    };
  }

  /** {@return a positive multiple of r + m * the mean of the arguments} */
  private static Polynomial aboveMean(Polynomial r, Polynomial m, Atom.Maximum maximum) {
    Polynomial sum = Polynomial.ZERO;
    for (Polynomial argument : maximum.arguments()) {
      sum = sum.plus(argument);
    }
    return r.times(maximum.arguments().size()).plus(m.times(sum));
  }

  private boolean isPlainlyNotNegative(Polynomial expression) {
    return box.bounds(expression).first() >= 0 || box.shiftedBound(expression).orElse(-1L) >= 0;
  }

  private static List<Atom> atoms(Polynomial expression) {
    List<Atom> atoms = new ArrayList<>();
    for (Polynomial.Term term : expression.terms()) {
      for (Monomial.Factor factor : term.monomial().factors()) {
        if (!(factor.atom() instanceof Atom.Dimension) && !atoms.contains(factor.atom())) {
          atoms.add(factor.atom());
        }
      }
    }
    return atoms;
  }

  /** {@return the expression without the factors that all terms have and that are positive} */
  private Polynomial withoutCommonFactor(Polynomial expression) {
    if (expression.terms().isEmpty()) {
      return expression;
    }
    Monomial common = expression.terms().getFirst().monomial();
    for (Polynomial.Term term : expression.terms()) {
      common = common.commonDivisor(term.monomial());
    }
    Monomial positive =
        new Monomial(
            common.factors().stream()
                .filter(factor -> box.bounds(factor.atom()).first() >= 0)
                .toList());
    List<Polynomial.Term> reduced = new ArrayList<>();
    for (Polynomial.Term term : expression.terms()) {
      reduced.add(
          new Polynomial.Term(
              term.monomial().dividedBy(positive).orElseThrow(), term.coefficient()));
    }
    return Polynomial.sum(reduced).dividedByContent(Math.max(1, expression.content()));
  }
}
