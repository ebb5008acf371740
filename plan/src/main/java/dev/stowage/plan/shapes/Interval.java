package dev.stowage.plan.shapes;

import java.math.BigInteger;
import java.util.stream.Stream;

/** All whole numbers from the first to the last, inclusive. */
record Interval(BigInteger first, BigInteger last) {

  static Interval of(BigInteger value) {
    return new Interval(value, value);
  }

  Interval plus(Interval other) {
    return new Interval(first.add(other.first), last.add(other.last));
  }

  Interval negated() {
    return new Interval(last.negate(), first.negate());
  }

  Interval times(Interval other) {
    return spanning(
        first.multiply(other.first),
        first.multiply(other.last),
        last.multiply(other.first),
        last.multiply(other.last));
  }

  /**
   * {@return the quotients, rounded down}
   *
   * @throws ArithmeticException if a divisor may be 0 or negative
   */
  Interval floorDivide(Interval divisor) {
    if (divisor.first.signum() <= 0) {
      throw new ArithmeticException("a divisor must be positive: divisor=" + divisor.first);
    }
    return spanning(
        floor(first, divisor.first),
        floor(first, divisor.last),
        floor(last, divisor.first),
        floor(last, divisor.last));
  }

  /**
   * {@return the quotients, rounded up}
   *
   * @throws ArithmeticException if a divisor may be 0 or negative
   */
  Interval ceilingDivide(Interval divisor) {
    return negated().floorDivide(divisor).negated();
  }

  /** {@return the larger ones of two numbers, one of each interval} */
  Interval max(Interval other) {
    return new Interval(first.max(other.first), last.max(other.last));
  }

  private static BigInteger floor(BigInteger dividend, BigInteger divisor) {
    BigInteger[] parts = dividend.divideAndRemainder(divisor);
    return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  private static Interval spanning(BigInteger... ends) {
    return new Interval(
        Stream.of(ends).min(BigInteger::compareTo).orElseThrow(),
        Stream.of(ends).max(BigInteger::compareTo).orElseThrow());
  }
}
