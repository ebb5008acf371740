package dev.stowage.plan.shapes;

/** The change of an expression when one dimension grows and all others stay. */
enum Direction {
  CONSTANT,
  /** Never smaller. */
  UP,
  /** Never larger. */
  DOWN,
  UNKNOWN;

  Direction and(Direction other) {
    if (this == CONSTANT || this == other) {
      return other;
    }
    return other == CONSTANT ? this : UNKNOWN;
  }

  Direction negated() {
    return switch (this) {
      case UP -> DOWN;
      case DOWN -> UP;
      case CONSTANT, UNKNOWN -> this;
    };
  }

  /** {@return the direction of an expression within a box} */
  static Direction of(Polynomial expression, String dimension, ShapeBox box) {
    Direction direction = CONSTANT;
    for (Polynomial.Term term : expression.terms()) {
      Direction change = of(term.monomial(), dimension, box);
      direction = direction.and(term.coefficient() < 0 ? change.negated() : change);
    }
    return direction != UNKNOWN ? direction : ofDifference(expression, dimension, box);
  }

  private static Direction of(Monomial monomial, String dimension, ShapeBox box) {
    Direction direction = CONSTANT;
    boolean negative = false;
    for (Monomial.Factor factor : monomial.factors()) {
      direction = direction.and(of(factor.atom(), dimension, box));
      negative |= box.bounds(factor.atom()).first() < 0;
    }
    return negative && monomial.degree() > 1 && direction != CONSTANT ? UNKNOWN : direction;
  }

  private static Direction of(Atom atom, String dimension, ShapeBox box) {
    return switch (atom) {
      case Atom.Dimension it -> it.name().equals(dimension) ? UP : CONSTANT;
      case Atom.Maximum maximum -> {
        Direction direction = CONSTANT;
        for (Polynomial argument : maximum.arguments()) {
          direction = direction.and(of(argument, dimension, box));
        }
        yield direction;
      }
      case Atom.Quotient quotient -> {
        if (box.bounds(quotient.divisor()).first() < 1) {
          yield UNKNOWN;
        }
        Direction dividend = of(quotient.dividend(), dimension, box);
        Direction divisor = of(quotient.divisor(), dimension, box);
        if (divisor == CONSTANT) {
          yield dividend;
        }
        Interval range = box.bounds(quotient.dividend());
        if (range.first() >= 0) {
          yield dividend.and(divisor.negated());
        }
        yield range.last() <= 0 ? dividend.and(divisor) : UNKNOWN;
      }
    };
  }

  /** {@return the direction by the sign of e(x + 1) - e(x), if e has x only as a factor} */
  private static Direction ofDifference(Polynomial expression, String dimension, ShapeBox box) {
    for (Polynomial.Term term : expression.terms()) {
      for (Monomial.Factor factor : term.monomial().factors()) {
        if (!(factor.atom() instanceof Atom.Dimension)
            && Polynomial.of(factor.atom()).dimensions().contains(dimension)) {
          return UNKNOWN;
        }
      }
    }
    try {
      Polynomial next =
          Substitution.of(
              expression, dimension, Polynomial.of(new Atom.Dimension(dimension)).plus(1));
      Polynomial difference = next.minus(expression);
      if (box.shiftedBound(difference).orElse(-1L) >= 0) {
        return UP;
      }
      return box.shiftedBound(difference.negated()).orElse(-1L) >= 0 ? DOWN : UNKNOWN;
    } catch (ArithmeticException e) {
      return UNKNOWN;
    }
  }
}
