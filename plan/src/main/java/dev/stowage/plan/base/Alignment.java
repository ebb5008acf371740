package dev.stowage.plan.base;

/** Arithmetic of alignments: any positive numbers, not only powers of two. */
public final class Alignment {

  private Alignment() {}

  /** {@return the smallest multiple of {@code alignment} that is at least {@code offset}} */
  public static long up(long offset, long alignment) {
    if (alignment == 1) {
      return offset; // a division would take longer than the rest of many loops
    }
    long remainder = offset % alignment;
    return remainder == 0 ? offset : offset + (alignment - remainder);
  }

  /**
   * {@return the least common multiple of two positive numbers}
   *
   * @throws ArithmeticException if it exceeds {@link Long#MAX_VALUE}
   */
  public static long leastCommonMultiple(long a, long b) {
    return a == b ? a : Math.multiplyExact(a / greatestCommonDivisor(a, b), b);
  }

  /** {@return the greatest common divisor of two numbers, which is the other one if one is 0} */
  public static long greatestCommonDivisor(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
}
