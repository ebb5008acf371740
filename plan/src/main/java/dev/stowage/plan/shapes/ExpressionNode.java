package dev.stowage.plan.shapes;

import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/** A part of an expression. */
@FunctionalInterface
interface ExpressionNode {

  /**
   * {@return an interval that contains the values of this part}
   *
   * @param dimensions returns the values of a dimension; a shape has one value of each
   * @throws ArithmeticException if a divisor may be 0 or negative
   */
  Interval bounds(Function<String, Interval> dimensions);

  /** {@return the negative of this part} */
  default ExpressionNode negated() {
    return dimensions -> bounds(dimensions).negated();
  }

  /** {@return the sum of some parts, the largest of them, or another combination} */
  static ExpressionNode of(List<ExpressionNode> parts, BinaryOperator<Interval> combination) {
    return dimensions ->
        parts.stream().map(part -> part.bounds(dimensions)).reduce(combination).orElseThrow();
  }

  /** {@return a part, multiplied with factors and divided by divisors, from left to right} */
  static ExpressionNode product(ExpressionNode start, List<Factor> factors) {
    return dimensions -> {
      Interval product = start.bounds(dimensions);
      for (Factor factor : factors) {
        product = factor.kind.apply(product, factor.part.bounds(dimensions));
      }
      return product;
    };
  }

  /**
   * A factor or a divisor.
   *
   * @param kind the effect on the product of the factors before it
   */
  record Factor(BinaryOperator<Interval> kind, ExpressionNode part) {}
}
