package dev.stowage.core.plan.fit;

import dev.stowage.core.plan.LiveRange;

/**
 * The bytes that placed records take, from rank to rank.
 *
 * <p>All implementations return the same offsets; they differ in the inputs that are costly.
 */
sealed interface PlacedBytes permits TakenSets, FreeRectangles {

  /** Marks {@code [start, end)} as taken from one rank to another, inclusive. */
  void occupy(int firstRank, int lastRank, long start, long end);

  /**
   * {@return the start of the smallest gap that holds {@code bytes}, the lowest of equal ones; if
   * no gap does, the end of the taken bytes}
   *
   * <p>A gap is free at all ranks from first to last. It starts at a multiple of the alignment, and
   * ends where taken bytes start.
   *
   * @param bytes positive
   */
  long tightestGap(int firstRank, int lastRank, long bytes, long alignment);

  /**
   * {@return the lowest offset, not below {@code from}, at which a need is free}
   *
   * @param from a multiple of {@code alignment}, which the result is, too
   */
  long lowestGap(LiveRange need, long from, long alignment);

  /** {@return the lowest byte taken at some of the ranks, {@link Long#MAX_VALUE} for none} */
  long lowestTaken(int firstRank, int lastRank);

  /** {@return a measure of the work so far, one for some ten nanoseconds} */
  long steps();
}
