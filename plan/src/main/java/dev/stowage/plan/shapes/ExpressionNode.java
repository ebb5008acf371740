package dev.stowage.plan.shapes;

import java.math.BigInteger;
import java.util.List;
import java.util.function.Function;

/** A part of an expression. */
sealed interface ExpressionNode {

  /**
   * {@return an interval that contains the values of this part}
   *
   * @param dimensions returns the values of a dimension; a shape has one value of each
   * @throws ArithmeticException if a divisor may be 0 or negative
   */
  Interval bounds(Function<String, Interval> dimensions);

  /** A number. */
  record Constant(BigInteger value) implements ExpressionNode {

    @Override
    public Interval bounds(Function<String, Interval> dimensions) {
      return Interval.of(value);
    }
  }

  /** A dimension. */
  record Dimension(String name) implements ExpressionNode {

    @Override
    public Interval bounds(Function<String, Interval> dimensions) {
      return dimensions.apply(name);
    }
  }

  /** The negative of a part. */
  record Negated(ExpressionNode part) implements ExpressionNode {

    @Override
    public Interval bounds(Function<String, Interval> dimensions) {
      return part.bounds(dimensions).negated();
    }
  }

  /** A sum of one or more parts. */
  record Sum(List<ExpressionNode> parts) implements ExpressionNode {

    @Override
    public Interval bounds(Function<String, Interval> dimensions) {
      return parts.stream()
          .map(part -> part.bounds(dimensions))
          .reduce(Interval::plus)
          .orElseThrow();
    }
  }

  /** The largest of one or more parts. */
  record Largest(List<ExpressionNode> parts) implements ExpressionNode {

    @Override
    public Interval bounds(Function<String, Interval> dimensions) {
      return parts.stream()
          .map(part -> part.bounds(dimensions))
          .reduce(Interval::max)
          .orElseThrow();
    }
  }

  /** A number or dimension, multiplied with factors and divided by divisors, from left to right. */
  record Product(ExpressionNode start, List<Factor> factors) implements ExpressionNode {

    @Override
    public Interval bounds(Function<String, Interval> dimensions) {
      Interval product = start.bounds(dimensions);
      for (Factor factor : factors) {
        product = factor.applied(product, factor.part.bounds(dimensions));
      }
      return product;
    }

    /** {@return this product with a last quotient that is rounded up} */
    Product roundedUp() {
      if (factors.isEmpty() || factors.getLast().kind == Kind.TIMES) {
        return this;
      }
      return new Product(
          new Product(start, factors.subList(0, factors.size() - 1)),
          List.of(new Factor(Kind.CEILING, factors.getLast().part)));
    }
  }

  /** The effects of a factor on the product of the factors before it. */
  enum Kind {
    TIMES,
    FLOOR,
    CEILING
  }

  /** A factor or a divisor. */
  record Factor(Kind kind, ExpressionNode part) {

    Interval applied(Interval product, Interval value) {
      return switch (kind) {
        case TIMES -> product.times(value);
        case FLOOR -> product.floorDivide(value);
        case CEILING -> product.negated().floorDivide(value).negated();
      };
    }
  }
}
