package dev.stowage.plan.search.offsets;

import java.util.function.BooleanSupplier;

/** A search for offsets of a partition within a capacity, in runs of growing length. */
interface CapacitySearch {

  /** The result of a run. */
  enum Outcome {
    /** The run found offsets within the capacity. */
    FOUND,
    /** No offsets within the capacity exist. */
    INFEASIBLE,
    /** The run reached its node limit, or the caller stopped it. */
    INCOMPLETE
  }

  /**
   * Runs the search and {@return the result}
   *
   * @param stop true to give up; called from time to time
   */
  Outcome next(long capacity, BooleanSupplier stop);

  /** {@return the offsets found, by record of the partition; valid until the next run} */
  long[] offsets();

  /** {@return the number of nodes visited in all runs} */
  long nodes();
}
