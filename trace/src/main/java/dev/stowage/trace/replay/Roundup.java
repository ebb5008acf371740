package dev.stowage.trace.replay;

import java.util.Arrays;

/**
 * PyTorch's rounding of requests: to multiples of 512 bytes, or to divisions between powers of two
 * ({@code roundup_power2_divisions}).
 *
 * <p>Immutable.
 */
final class Roundup {

  /** The number of sizes with a number of divisions: 1 MiB, 2 MiB, and so on to 32 GiB. */
  static final int SIZES = 16;

  static final Roundup NONE = new Roundup(new int[SIZES]);

  private static final long BLOCK_BYTES = 512;
  private static final int LOG_OF_FIRST_SIZE = 20;

  /** The divisions of the requests of each size; below 2, requests are not rounded. */
  private final int[] divisions;

  private final boolean isNone;

  Roundup(int[] divisions) {
    this.divisions = divisions.clone();
    isNone = Arrays.stream(divisions).allMatch(count -> count < 2);
  }

  /** {@return true if all requests are rounded to multiples of 512 bytes} */
  boolean isNone() {
    return isNone;
  }

  /** {@return the number of divisions for requests from {@code 2^(20 + index)} bytes} */
  int divisions(int index) {
    return divisions[index];
  }

  /** {@return the bytes of the block for a request} */
  long blockBytes(long bytes) {
    if (bytes <= BLOCK_BYTES) {
      return BLOCK_BYTES;
    }
    if (!isNone) {
      long count = divisions[sizeIndex(bytes)];
      if (count > 1 && bytes > BLOCK_BYTES * count) {
        return nextDivision(bytes, count);
      }
    }
    return bytes + BLOCK_BYTES - 1 & -BLOCK_BYTES;
  }

  private static int sizeIndex(long bytes) {
    int log = 63 - Long.numberOfLeadingZeros(bytes);
    return Math.clamp(log - (long) LOG_OF_FIRST_SIZE, 0, SIZES - 1);
  }

  private static long nextDivision(long bytes, long count) {
    long step = Long.highestOneBit(bytes) / Long.highestOneBit(count);
    return bytes + step - 1 & -step;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Roundup that && Arrays.equals(divisions, that.divisions);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(divisions);
  }

  /**
   * {@return the divisions as PyTorch's settings have them: one number, or a list of sizes in MiB,
   * each with the divisions up to the next size}
   */
  @Override
  public String toString() {
    int last = divisions[SIZES - 1];
    if (last > 0 && Arrays.stream(divisions).allMatch(count -> count == last)) {
      return Integer.toString(last);
    }
    // Smaller sizes have the divisions of the first size, and larger ones those after '>'.
    int first = 0;
    while (first + 1 < SIZES && divisions[first + 1] == divisions[first]) {
      first++;
    }
    int rest = SIZES - 1;
    while (rest > first + 1 && divisions[rest - 1] == last) {
      rest--;
    }
    StringBuilder text = new StringBuilder("[");
    for (int i = first; i < Math.max(rest, first + 1); i++) {
      text.append(1L << i).append(':').append(divisions[i]).append(',');
    }
    return text.append(">:").append(last).append(']').toString();
  }
}
