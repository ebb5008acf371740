package dev.stowage.core.plan.search.offsets;

import java.util.function.BooleanSupplier;

/** Looks for offsets of a part within a capacity, for longer each time. */
interface CapacitySearch {

  /** What looking ended with. */
  enum Outcome {
    /** There are offsets within the capacity. */
    FOUND,
    /** There are none. */
    INFEASIBLE,
    /** The limit of nodes was reached, or someone stopped the search. */
    CUT
  }

  /**
   * {@return what the next search ends with}
   *
   * @param stop whether to give up; asked now and then
   */
  Outcome next(long capacity, BooleanSupplier stop);

  /** {@return the offsets found, by movable record of the part; valid until the next search} */
  long[] offsets();

  /** {@return how many nodes were visited, in all searches} */
  long nodes();
}
