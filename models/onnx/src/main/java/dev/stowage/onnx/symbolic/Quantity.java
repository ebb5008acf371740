package dev.stowage.onnx.symbolic;

import dev.stowage.plan.shapes.SizeExpression;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A number in a tensor: a quotient of two expressions, whose denominator is positive.
 *
 * @param numerator the numerator
 * @param denominator the denominator; 1 for integers
 */
record Quantity(SizeExpression numerator, SizeExpression denominator) {

  private static final SizeExpression ONE = SizeExpression.of(1);

  /** The largest power of two in the denominator of a constant. */
  private static final int MAX_FRACTION_BITS = 10;

  /** The bits of a 32-bit floating-point number that are exact. */
  private static final long MAX_EXACT = 1L << 24;

  static Quantity of(SizeExpression whole) {
    return new Quantity(whole, ONE);
  }

  static Quantity of(long whole) {
    return of(SizeExpression.of(whole));
  }

  /** {@return the quantity of a floating-point number, or empty if it has too many digits} */
  static Optional<Quantity> ofDouble(double value) {
    double scaled = value;
    long denominator = 1;
    for (int bits = 0; bits < MAX_FRACTION_BITS && scaled != Math.rint(scaled); bits++) {
      scaled *= 2;
      denominator *= 2;
    }
    return scaled == Math.rint(scaled) && Math.abs(scaled) <= MAX_EXACT
        ? Optional.of(
            new Quantity(SizeExpression.of((long) scaled), SizeExpression.of(denominator)))
        : Optional.empty();
  }

  /** {@return true if the denominator is 1} */
  boolean isWhole() {
    return denominator.equals(ONE);
  }

  /** {@return the integer, or empty if this is a fraction} */
  Optional<SizeExpression> whole() {
    return isWhole() ? Optional.of(numerator) : Optional.empty();
  }

  /** {@return the constant integer, or empty if this is an expression or a fraction} */
  OptionalLong constant() {
    return isWhole() ? numerator.constant() : OptionalLong.empty();
  }

  Quantity plus(Quantity other) {
    return denominator.equals(other.denominator)
        ? reduced(numerator.plus(other.numerator), denominator)
        : reduced(
            numerator.times(other.denominator).plus(other.numerator.times(denominator)),
            denominator.times(other.denominator));
  }

  Quantity negated() {
    return new Quantity(SizeExpression.of(0).minus(numerator), denominator);
  }

  Quantity minus(Quantity other) {
    return plus(other.negated());
  }

  Quantity times(Quantity other) {
    Quantity one = reduced(numerator, other.denominator);
    Quantity two = reduced(other.numerator, denominator);
    return reduced(one.numerator.times(two.numerator), one.denominator.times(two.denominator));
  }

  /** {@return the inverse of a quantity with a positive numerator} */
  Quantity inverse() {
    return new Quantity(denominator, numerator);
  }

  /** {@return the largest integer that is not larger} */
  SizeExpression floor() {
    return isWhole() ? numerator : numerator.floorDivide(denominator);
  }

  /** {@return the smallest integer that is not smaller} */
  SizeExpression ceil() {
    return isWhole() ? numerator : numerator.ceilDivide(denominator);
  }

  private static Quantity reduced(SizeExpression numerator, SizeExpression denominator) {
    if (denominator.equals(ONE)) {
      return of(numerator);
    }
    if (numerator.equals(denominator)) {
      return of(1);
    }
    OptionalLong top = numerator.constant();
    OptionalLong bottom = denominator.constant();
    if (top.isPresent() && bottom.isPresent()) {
      long divisor = gcd(Math.absExact(top.getAsLong()), bottom.getAsLong());
      return new Quantity(
          SizeExpression.of(top.getAsLong() / divisor),
          SizeExpression.of(bottom.getAsLong() / divisor));
    }
    SizeExpression quotient = numerator.floorDivide(denominator);
    return quotient.times(denominator).equals(numerator)
        ? of(quotient)
        : new Quantity(numerator, denominator);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }
}
