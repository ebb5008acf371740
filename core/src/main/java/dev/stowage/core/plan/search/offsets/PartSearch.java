package dev.stowage.core.plan.search.offsets;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Narrows down the smallest arena of a part, round by round: what is found from above, what is
 * proved from below.
 *
 * <p>What a round comes to is the same on any number of threads, unless it is stopped.
 */
public sealed interface PartSearch permits ExactPartSearch, LargePartSearch {

  /** {@return bytes that no arena of the part can do without} */
  long lowerBytes();

  /** {@return the smallest arena so far} */
  long upperBytes();

  /** {@return how many placements were tried} */
  long nodes();

  /** Enters the offsets of the smallest arena so far into those of the whole problem. */
  void copyOffsets(long[] ofProblem);

  /**
   * {@return the next round}
   *
   * @param goalBytes an arena of this size is small enough
   * @param stop whether to end the round soon
   */
  Round nextRound(long goalBytes, BooleanSupplier stop);

  /** Some searches, and what they come to. */
  interface Round {

    /** {@return what to run, in any order and side by side, before the round ends} */
    List<? extends Runnable> turns();

    /** Takes in what the searches came to. */
    void end();
  }
}
