package dev.stowage.plan.shapes;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * An immutable integer expression over named, positive dimensions: {@code 2*batch*seq + 64}.
 *
 * <p>An expression is kept in a canonical form: a polynomial with integer coefficients over
 * dimensions, floors of quotients and maximums. A minimum is the negative maximum of the negated
 * arguments. Arithmetic simplifies: {@code (6*b*s)/(3*s)} is {@code 2*b}, because dimensions are
 * positive. Expressions with equal canonical forms are equal. Some expressions have equal values
 * but different canonical forms; a {@link ShapeProver} compares values.
 *
 * <p>All methods that return an expression throw an {@link ArithmeticException} if a coefficient
 * does not fit a {@code long}, or the result has more than 10,000 parts, a degree above 100, or
 * more than 100 floors and maximums within each other.
 */
public final class SizeExpression implements Comparable<SizeExpression> {

  static final SizeExpression ZERO = new SizeExpression(Polynomial.ZERO);

  private final Polynomial polynomial;

  SizeExpression(Polynomial polynomial) {
    this.polynomial = polynomial;
  }

  /**
   * {@return a constant}
   *
   * @param value the value
   */
  public static SizeExpression of(long value) {
    return new SizeExpression(Polynomial.of(value));
  }

  /**
   * {@return a dimension}
   *
   * @param name the name of the dimension, of any characters
   * @throws IllegalArgumentException if the name is blank
   */
  public static SizeExpression dimension(String name) {
    DimensionRange.checkName(name);
    return new SizeExpression(Polynomial.of(new Atom.Dimension(name)));
  }

  /**
   * Reads an expression.
   *
   * <p>An expression consists of whole numbers, dimensions, {@code + - * /} and parentheses. A
   * division rounds down. Functions: {@code floor(a/b)}, {@code ceil(a/b)}, {@code max(a, b, …)},
   * {@code min(a, b, …)} and {@code roundup(a, n)}, the smallest multiple of n that is at least a.
   * The name of a dimension consists of letters, digits, {@code _} and {@code .}, and does not
   * start with a digit. Any other name is written in single quotes, with each quote in it doubled.
   *
   * @param text the expression
   * @return the expression
   * @throws IllegalArgumentException if the text is not an expression, or the expression has no
   *     canonical form within the limits
   */
  public static SizeExpression parse(String text) {
    return new SizeExpression(new ExpressionParser(text).parse());
  }

  /** {@return the largest of some expressions} */
  static SizeExpression largest(List<SizeExpression> expressions) {
    return new SizeExpression(
        LargestOf.of(expressions.stream().map(SizeExpression::polynomial).toList()));
  }

  /** {@return the canonical form} */
  Polynomial polynomial() {
    return polynomial;
  }

  /**
   * {@return the sum}
   *
   * @param other the other summand
   */
  public SizeExpression plus(SizeExpression other) {
    return new SizeExpression(polynomial.plus(other.polynomial));
  }

  /**
   * {@return the sum}
   *
   * @param value the other summand
   */
  public SizeExpression plus(long value) {
    return new SizeExpression(polynomial.plus(value));
  }

  /**
   * {@return the difference}
   *
   * @param other the expression to subtract
   */
  public SizeExpression minus(SizeExpression other) {
    return new SizeExpression(polynomial.minus(other.polynomial));
  }

  /**
   * {@return the product}
   *
   * @param other the other factor
   */
  public SizeExpression times(SizeExpression other) {
    return new SizeExpression(polynomial.times(other.polynomial));
  }

  /**
   * {@return the product}
   *
   * @param value the other factor
   */
  public SizeExpression times(long value) {
    return new SizeExpression(polynomial.times(value));
  }

  /**
   * {@return the quotient, rounded down}
   *
   * @param divisor the divisor. If it is not positive for the values of the dimensions, {@link
   *     #evaluate} throws an exception
   * @throws IllegalArgumentException if the divisor is a constant that is not positive
   */
  public SizeExpression floorDivide(SizeExpression divisor) {
    return new SizeExpression(FloorDivision.of(polynomial, divisor.polynomial));
  }

  /**
   * {@return the quotient, rounded down}
   *
   * @param divisor the divisor
   * @throws IllegalArgumentException if the divisor is not positive
   */
  public SizeExpression floorDivide(long divisor) {
    return floorDivide(of(divisor));
  }

  /**
   * {@return the quotient, rounded up}
   *
   * @param divisor the divisor, as for {@link #floorDivide(SizeExpression)}
   * @throws IllegalArgumentException if the divisor is a constant that is not positive
   */
  public SizeExpression ceilDivide(SizeExpression divisor) {
    return new SizeExpression(FloorDivision.ceiling(polynomial, divisor.polynomial));
  }

  /**
   * {@return the quotient, rounded up}
   *
   * @param divisor the divisor
   * @throws IllegalArgumentException if the divisor is not positive
   */
  public SizeExpression ceilDivide(long divisor) {
    return ceilDivide(of(divisor));
  }

  /**
   * {@return the smallest multiple of a number that is not below this expression}
   *
   * @param multiple the number
   * @throws IllegalArgumentException if {@code multiple < 1}
   */
  public SizeExpression roundUpTo(long multiple) {
    return ceilDivide(multiple).times(multiple);
  }

  /**
   * {@return the larger one of two expressions}
   *
   * @param other the other expression
   */
  public SizeExpression max(SizeExpression other) {
    return largest(List.of(this, other));
  }

  /**
   * {@return the smaller one of two expressions}
   *
   * @param other the other expression
   */
  public SizeExpression min(SizeExpression other) {
    return negated().max(other.negated()).negated();
  }

  /**
   * {@return this expression with another one in place of a dimension}
   *
   * @param name the name of the dimension
   * @param replacement an expression that is positive for all values of its dimensions
   */
  public SizeExpression substitute(String name, SizeExpression replacement) {
    return new SizeExpression(Substitution.of(polynomial, name, replacement.polynomial));
  }

  /**
   * {@return the value}
   *
   * @param values a value for each dimension of this expression
   * @throws ArithmeticException if the value or an intermediate result does not fit a {@code long},
   *     or a divisor is not positive
   * @throws IllegalArgumentException if a dimension of this expression has no value
   */
  public long evaluate(DimensionValues values) {
    return Evaluation.of(polynomial, values);
  }

  /** {@return the value if it does not depend on dimensions} */
  public OptionalLong constant() {
    return polynomial.constant();
  }

  /** {@return the names of the dimensions, sorted} */
  public Set<String> dimensions() {
    return Collections.unmodifiableSet(polynomial.dimensions());
  }

  SizeExpression negated() {
    return new SizeExpression(polynomial.negated());
  }

  /** Compares by the terms, in an arbitrary order that is consistent with {@link #equals}. */
  @Override
  public int compareTo(SizeExpression other) {
    return polynomial.compareTo(other.polynomial);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SizeExpression that && polynomial.equals(that.polynomial);
  }

  @Override
  public int hashCode() {
    return polynomial.hashCode();
  }

  /** {@return the expression as text that {@link #parse} reads back} */
  @Override
  public String toString() {
    return ExpressionText.of(polynomial);
  }
}
