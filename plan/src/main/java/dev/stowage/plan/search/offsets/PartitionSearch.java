package dev.stowage.plan.search.offsets;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A search for the smallest arena of a partition, in rounds that lower the upper bound or raise the
 * lower bound.
 *
 * <p>Unless it is stopped, a round has the same result on any number of threads.
 */
public interface PartitionSearch {

  /** {@return a lower bound of every arena of the partition} */
  long lowerBytes();

  /** {@return the size of the smallest arena so far} */
  long upperBytes();

  /** {@return the number of placements tried} */
  long nodes();

  /** Copies the offsets of the smallest arena so far into the offsets of the whole problem. */
  void copyOffsets(long[] ofProblem);

  /**
   * {@return the next round}
   *
   * @param goalBytes an arena of this size is small enough
   * @param stop true to end the round soon
   */
  Round nextRound(long goalBytes, BooleanSupplier stop);

  /** Independent runs of searches; the caller merges their results. */
  interface Round {

    /**
     * {@return the runs, which the caller finishes in any order, or in parallel, before the end}
     */
    List<? extends Runnable> turns();

    /** Merges the results of the runs. */
    void end();
  }
}
