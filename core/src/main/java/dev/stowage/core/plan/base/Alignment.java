package dev.stowage.core.plan.base;

/** Arithmetic of alignments, which are any positive numbers and not only powers of two. */
public final class Alignment {

  private Alignment() {}

  /** {@return the smallest multiple of {@code alignment} that is at least {@code offset}} */
  public static long up(long offset, long alignment) {
    long beyond = offset % alignment;
    return beyond == 0 ? offset : offset + (alignment - beyond);
  }

  /**
   * {@return the smallest positive number that is a multiple of both}
   *
   * @throws ArithmeticException if it exceeds {@link Long#MAX_VALUE}
   */
  public static long both(long a, long b) {
    return a == b ? a : Math.multiplyExact(a / greatestCommonDivisor(a, b), b);
  }

  /** {@return the largest number that both are multiples of; 0 is a multiple of every number} */
  public static long greatestCommonDivisor(long a, long b) {
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  }
}
