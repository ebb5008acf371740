package dev.stowage.memory.pool;

/** The choice of the arenas that are watched: one of 128. Safe for use by many threads. */
final class WatchedSample {

  /*
   * Each thread counts in a cache line of its own, mostly. If two threads share a counter, they may
   * count one arena instead of two, which changes only the sample.
   */

  /** 2^64 divided by the golden ratio. */
  private static final long SPREAD = 0x9E3779B97F4A7C15L;

  private static final int COUNTERS = 64;

  /** The binary logarithm of the elements of two cache lines, which processors fetch in pairs. */
  private static final int LINE_SHIFT = 5;

  private final int[] counts = new int[COUNTERS << LINE_SHIFT];

  /** Counts an arena and {@return true if it belongs to the sample} */
  boolean isNext() {
    int counter = (int) Thread.currentThread().threadId() & (COUNTERS - 1);
    int number = ++counts[counter << LINE_SHIFT];
    // The watched numbers have no fixed distance, so that each step of a loop is watched at some
    // time.
    return (number * SPREAD) >>> 57 == 0;
  }
}
