package dev.stowage.onnxruntime;

import java.util.Arrays;

/** Decides when an allocator returns free memory to the system. Thread-safe. */
final class TrimPolicy {

  /*
   * The allocator keeps as many bytes as the largest of the latest runs needed. After a trim, the
   * next runs get their memory from the system again. A trim is therefore due only when all of the
   * latest runs needed less than the allocator holds, so at most once after each larger run.
   */

  /** The smallest excess that is worth the time of a trim. */
  static final long SMALLEST_EXCESS_BYTES = 2 << 20;

  /** The number of latest runs with memory that is kept. */
  static final int RUNS = 8;

  private final long[] needs = new long[RUNS];
  private int runs;

  /**
   * Adds a run and {@return true if a trim is due}
   *
   * @param neededBytes the largest number of bytes in use since the run before
   * @param reservedBytes the bytes that the allocator holds
   */
  synchronized boolean isDue(long neededBytes, long reservedBytes) {
    needs[runs++ % RUNS] = neededBytes;
    long kept = Arrays.stream(needs).max().orElseThrow();
    // An eighth more than needed is usual, because chunks are rounded and small ones lie between.
    boolean isDue = runs >= RUNS && reservedBytes - kept - kept / 8 >= SMALLEST_EXCESS_BYTES;
    runs = isDue ? 0 : runs;
    return isDue;
  }
}
