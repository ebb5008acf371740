package dev.stowage.onnxruntime;

import java.util.OptionalLong;

/** The decision when free memory is returned to the system. Guarded by its caller. */
final class TrimPolicy {

  /*
   * The allocator keeps as many bytes as 99 % of the recent runs needed. A trim returns all free ends,
   * so that the next runs get their memory from the system again. Memory above the percentile is held
   * only after one of the 1 % larger runs, and a trim is due at most once in 50 runs, so that this
   * cost is small for each run.
   */

  /** The smallest excess for which a trim is worth its time. */
  static final long SMALLEST_EXCESS_BYTES = 2 << 20;

  /** The fewest runs between two trims. */
  static final int FEWEST_RUNS = 50;

  private final RecentPeaks needs;
  private int runsSinceTrim = FEWEST_RUNS;

  TrimPolicy(int recentRuns) {
    needs = new RecentPeaks(recentRuns);
  }

  /**
   * Adds a run and {@return true if a trim is due}
   *
   * @param neededBytes the largest number of bytes in use since the run before
   * @param reservedBytes the bytes that the allocator holds
   */
  boolean isDue(long neededBytes, long reservedBytes) {
    needs.add(neededBytes);
    runsSinceTrim++;
    OptionalLong kept = needs.percentile();
    if (kept.isEmpty() || runsSinceTrim <= FEWEST_RUNS) {
      return false;
    }
    // An eighth more than needed is usual, because chunks are rounded and small ones lie between.
    long excess = reservedBytes - kept.getAsLong() - kept.getAsLong() / 8;
    if (excess < SMALLEST_EXCESS_BYTES) {
      return false;
    }
    runsSinceTrim = 0;
    return true;
  }
}
