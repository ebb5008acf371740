package dev.stowage.plan.shapes;

/** The value of a polynomial for one value of each dimension. */
final class Evaluation {

  private Evaluation() {}

  /**
   * {@return the value}
   *
   * @throws ArithmeticException if the value or an intermediate result does not fit a long, or a
   *     divisor is not positive
   * @throws IllegalArgumentException if a dimension has no value
   */
  static long of(Polynomial polynomial, DimensionValues values) {
    long sum = 0;
    for (Polynomial.Term term : polynomial.terms()) {
      sum = Math.addExact(sum, Math.multiplyExact(term.coefficient(), of(term.monomial(), values)));
    }
    return sum;
  }

  private static long of(Monomial monomial, DimensionValues values) {
    long product = 1;
    for (Monomial.Factor factor : monomial.factors()) {
      long value = of(factor.atom(), values);
      for (int i = 0; i < factor.power(); i++) {
        product = Math.multiplyExact(product, value);
      }
    }
    return product;
  }

  private static long of(Atom atom, DimensionValues values) {
    return switch (atom) {
      case Atom.Dimension dimension -> values.get(dimension.name());
      case Atom.Quotient quotient -> {
        long divisor = of(quotient.divisor(), values);
        if (divisor <= 0) {
          throw new ArithmeticException(
              "a divisor must be positive: "
                  + ExpressionText.of(quotient.divisor())
                  + " is "
                  + divisor
                  + " at "
                  + values);
        }
        yield Math.floorDiv(of(quotient.dividend(), values), divisor);
      }
      case Atom.Maximum maximum -> {
        long largest = Long.MIN_VALUE;
        for (Polynomial argument : maximum.arguments()) {
          largest = Math.max(largest, of(argument, values));
        }
        yield largest;
      }
    };
  }
}
