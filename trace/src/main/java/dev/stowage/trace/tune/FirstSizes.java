package dev.stowage.trace.tune;

import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/** Sizes for the first region or the start of a pool, which a search tries. */
final class FirstSizes {

  /*
   * Powers of two from 64 KiB, and the requested peak with an excess of up to a half, rounded up to
   * whole MiB, so that one region may serve the whole trace.
   */

  private static final long SMALLEST = 64 << 10;
  private static final long MIB = 1 << 20;
  private static final int STEPS = 16;

  private FirstSizes() {}

  /** {@return the sizes up to the limit, ascending} */
  static List<Long> of(TunedTrace trace, OptionalLong limitBytes) {
    TreeSet<Long> sizes = new TreeSet<>();
    long peak = Math.min(trace.peakRequestedBytes(), Long.MAX_VALUE / 4);
    long bytes = SMALLEST;
    while (bytes <= peak) {
      sizes.add(bytes);
      bytes *= 4;
    }
    for (int step = 0; step <= STEPS; step++) {
      long excess = peak / (2L * STEPS) * step;
      sizes.add(peak + excess + MIB - 1 & -MIB);
    }
    sizes.removeIf(size -> size < 1 || size > limitBytes.orElse(Long.MAX_VALUE));
    return List.copyOf(sizes);
  }
}
