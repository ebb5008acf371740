package dev.stowage.plan.shapes;

/** Another polynomial in place of a dimension. */
final class Substitution {

  private Substitution() {}

  /** {@return a polynomial with another one in place of a dimension that it may not have} */
  static Polynomial of(Polynomial polynomial, String name, Polynomial replacement) {
    if (!polynomial.dimensions().contains(name)) {
      return polynomial;
    }
    Polynomial sum = Polynomial.ZERO;
    for (Polynomial.Term term : polynomial.terms()) {
      Polynomial product = Polynomial.of(term.coefficient());
      for (Monomial.Factor factor : term.monomial().factors()) {
        Polynomial value = of(factor.atom(), name, replacement);
        for (int i = 0; i < factor.power(); i++) {
          product = product.times(value);
        }
      }
      sum = sum.plus(product);
    }
    return sum;
  }

  private static Polynomial of(Atom atom, String name, Polynomial replacement) {
    return switch (atom) {
      case Atom.Dimension dimension ->
          dimension.name().equals(name) ? replacement : Polynomial.of(atom);
      case Atom.Quotient quotient ->
          FloorDivision.of(
              of(quotient.dividend(), name, replacement),
              of(quotient.divisor(), name, replacement));
      case Atom.Maximum maximum ->
          LargestOf.of(
              maximum.arguments().stream()
                  .map(argument -> of(argument, name, replacement))
                  .toList());
    };
  }
}
