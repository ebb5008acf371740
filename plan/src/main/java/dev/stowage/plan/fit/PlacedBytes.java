package dev.stowage.plan.fit;

import dev.stowage.plan.time.LiveRange;

/**
 * The bytes that placed records occupy, by rank.
 *
 * <p>All implementations return the same offsets. Each is slow for other inputs.
 */
interface PlacedBytes {

  /** Marks {@code [start, end)} as occupied from {@code firstRank} to {@code lastRank}. */
  void occupy(int firstRank, int lastRank, long start, long end);

  /**
   * {@return the start of the smallest gap of at least {@code bytes}, the lowest of equal ones; if
   * there is no such gap, the aligned end of the occupied bytes}
   *
   * <p>A gap is free from {@code firstRank} to {@code lastRank}. It starts at a multiple of the
   * alignment and ends where occupied bytes start.
   *
   * @param bytes positive
   */
  long tightestGap(int firstRank, int lastRank, long bytes, long alignment);

  /**
   * {@return the lowest multiple of {@code alignment} from {@code from} on at which {@code need} is
   * free}
   *
   * @param need a range of ranks, and a range of bytes relative to the offset
   * @param from a multiple of {@code alignment}
   */
  long lowestGap(LiveRange need, long from, long alignment);

  /** {@return the lowest byte occupied at any of the ranks; {@link Long#MAX_VALUE} if none is} */
  long lowestOccupied(int firstRank, int lastRank);

  /** {@return the work so far; a step takes about ten nanoseconds} */
  long steps();
}
