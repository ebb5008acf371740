package dev.stowage.plan.shapes;

/** Another expression in place of a dimension. */
final class Substitution {

  private Substitution() {}

  /** {@return an expression with another one in place of a dimension that it may not have} */
  static SizeExpression of(SizeExpression expression, String name, SizeExpression replacement) {
    SizeExpression sum = SizeExpression.ZERO;
    for (SizeExpression.Term term : expression.terms()) {
      SizeExpression product = SizeExpression.of(term.coefficient());
      for (Monomial.Factor factor : term.monomial().factors()) {
        SizeExpression value = of(factor.atom(), name, replacement);
        for (int i = 0; i < factor.power(); i++) {
          product = product.times(value);
        }
      }
      sum = sum.plus(product);
    }
    return sum;
  }

  private static SizeExpression of(Atom atom, String name, SizeExpression replacement) {
    return switch (atom) {
      case Dimension dimension ->
          dimension.name().equals(name) ? replacement : SizeExpression.of(atom);
      case Quotient quotient ->
          quotient
              .dividend()
              .substitute(name, replacement)
              .floorDivide(quotient.divisor().substitute(name, replacement));
      case Maximum maximum ->
          Maximum.of(
              maximum.arguments().stream()
                  .map(argument -> argument.substitute(name, replacement))
                  .toList());
    };
  }
}
