package dev.stowage.plan.shapes;

/**
 * A range of mathematical integers that contains all values of an expression.
 *
 * <p>A {@code first} of {@link Long#MIN_VALUE} stands for no lower bound, and a {@code last} of
 * {@link Long#MAX_VALUE} for no upper bound. Arithmetic saturates, so that a bound never becomes
 * wrong by overflow.
 *
 * @param first a number that no value is below
 * @param last a number that no value exceeds
 */
record Interval(long first, long last) {

  static final Interval UNBOUNDED = new Interval(Long.MIN_VALUE, Long.MAX_VALUE);

  static Interval of(long value) {
    return new Interval(value, value);
  }

  /** {@return true if no bound is missing or saturated} */
  boolean isFinite() {
    return first > Long.MIN_VALUE
        && first < Long.MAX_VALUE
        && last > Long.MIN_VALUE
        && last < Long.MAX_VALUE;
  }

  Interval plus(Interval other) {
    long low =
        first == Long.MIN_VALUE || other.first == Long.MIN_VALUE
            ? Long.MIN_VALUE
            : saturatedSum(first, other.first);
    long high =
        last == Long.MAX_VALUE || other.last == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : saturatedSum(last, other.last);
    return new Interval(low, high);
  }

  Interval times(Interval other) {
    long a = saturatedProduct(first, other.first);
    long b = saturatedProduct(first, other.last);
    long c = saturatedProduct(last, other.first);
    long d = saturatedProduct(last, other.last);
    return new Interval(
        Math.min(Math.min(a, b), Math.min(c, d)), Math.max(Math.max(a, b), Math.max(c, d)));
  }

  /** {@return the floors of the quotients; unbounded if the divisor may be less than 1} */
  Interval floorDividedBy(Interval divisor) {
    if (divisor.first < 1) {
      return UNBOUNDED;
    }
    // A quotient is smallest at the largest divisor if the dividend is not negative.
    long low =
        first == Long.MIN_VALUE
            ? Long.MIN_VALUE
            : Math.floorDiv(first, first >= 0 ? divisor.last : divisor.first);
    long high =
        last == Long.MAX_VALUE
            ? Long.MAX_VALUE
            : Math.floorDiv(last, last >= 0 ? divisor.first : divisor.last);
    return new Interval(low, high);
  }

  /** {@return the values, rounded up to a multiple; the bounds are not close to those of a long} */
  Interval roundedUpTo(long multiple) {
    return multiple == 1
        ? this
        : new Interval(
            Math.ceilDiv(first, multiple) * multiple, Math.ceilDiv(last, multiple) * multiple);
  }

  Interval max(Interval other) {
    return new Interval(Math.max(first, other.first), Math.max(last, other.last));
  }

  /** {@return the length of the interval; at most {@link Long#MAX_VALUE}} */
  long width() {
    long width = last - first;
    return width < 0 || !isFinite() ? Long.MAX_VALUE : width;
  }

  private static long saturatedSum(long a, long b) {
    long sum = a + b;
    if (((a ^ sum) & (b ^ sum)) < 0) {
      return a < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    return sum;
  }

  private static long saturatedProduct(long a, long b) {
    long high = Math.multiplyHigh(a, b);
    long low = a * b;
    if ((high == 0 && low >= 0) || (high == -1 && low < 0)) {
      return low;
    }
    return (a < 0) == (b < 0) ? Long.MAX_VALUE : Long.MIN_VALUE;
  }
}
