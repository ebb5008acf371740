package dev.stowage.allocator;

/** The unit of chunks: their addresses and sizes are multiples of 256 bytes. */
final class Quantum {

  static final long BYTES = 256;

  /** The binary logarithm of {@link #BYTES}. */
  static final int SHIFT = 8;

  private Quantum() {}

  /**
   * {@return the requested bytes, rounded up to a multiple of 256, at least 256; {@link
   * Long#MAX_VALUE}, which no chunk holds, on overflow}
   */
  static long roundedBytes(long requestedBytes) {
    return Math.max(BYTES, roundedUp(requestedBytes, BYTES));
  }

  /**
   * {@return the next multiple of a power of two, or {@link Long#MAX_VALUE} if there is none}
   *
   * @param unit a power of two
   */
  static long roundedUp(long bytes, long unit) {
    return bytes > (Long.MAX_VALUE & -unit) ? Long.MAX_VALUE : (bytes + unit - 1) & -unit;
  }

  /** {@return the distance of an address from the next multiple of a power of two} */
  static long paddingBytes(long address, long alignment) {
    return -address & (alignment - 1);
  }

  /**
   * Checks the arguments of a request.
   *
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   */
  static void checkRequest(long bytes, long alignment) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be positive: bytes=" + bytes);
    }
    if (Long.bitCount(alignment) != 1 || alignment < 0) {
      throw new IllegalArgumentException(
          "alignment must be a power of two: alignment=" + alignment);
    }
  }
}
