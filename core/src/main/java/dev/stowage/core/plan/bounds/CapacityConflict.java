package dev.stowage.core.plan.bounds;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.search.SearchOptions;
import java.util.List;
import java.util.Optional;

/**
 * A few records that do not fit together into a capacity. Unless the time ran out, the reason no
 * longer holds if any one of them is left out.
 *
 * @param records their indices, ascending
 * @param leastBytes no arena of these records is smaller, proved; more than the capacity
 * @param reason why they do not fit
 */
public record CapacityConflict(List<Integer> records, long leastBytes, Reason reason) {

  /** Why records do not fit into a capacity. */
  public sealed interface Reason {

    /**
     * At one task, the records need more bytes than the capacity: {@code leastBytes}. Bytes that
     * pinned records share count once.
     *
     * @param task the task
     * @param isExact true if an arena of {@code leastBytes} was found that holds them; pins,
     *     alignments and other tasks may require a larger one
     */
    record LiveBytes(long task, boolean isExact) implements Reason {}

    /**
     * The only record ends behind the capacity: it is pinned too high, or it has more bytes than
     * the capacity and its gaps leave none of the tasks with all of them.
     */
    record RecordEnd() implements Reason {}

    /**
     * At one task, all bytes of each record are live, and the padding between them is too much.
     *
     * @param task the task
     * @param alignmentBytes every offset of the records is a multiple of this
     * @param isExact true if an arena of {@code leastBytes} was found that holds them
     */
    record Padding(long task, long alignmentBytes, boolean isExact) implements Reason {}

    /**
     * All records but one are pinned, and there is no room for that one between them.
     *
     * @param blocked the index of the record that may be moved
     * @param isExact whether an arena of {@code leastBytes} holds the records
     */
    record Pins(int blocked, boolean isExact) implements Reason {}

    /**
     * An exhaustive search found no placement of the records.
     *
     * @param isExact whether an arena of {@code leastBytes} holds them
     */
    record NoPlacement(boolean isExact) implements Reason {}
  }

  /** A conflict. */
  public CapacityConflict {
    records = List.copyOf(records);
  }

  /**
   * {@return records that do not fit together, if that can be proved within the limits}
   *
   * <p>The reason is the first of these that holds: live bytes at the heaviest task, one record's
   * end, alignment padding, and a search. The first three cost O(n log n). The search leaves out
   * halves of the records, quarters and so on, down to one by one, as long as the others are still
   * proved not to fit; each try is a search of its own.
   *
   * <p>With a graph, gaps do not count: each record needs all of its bytes throughout. Records that
   * the graph does not permit to share memory do not fit together, either. No task needs to see
   * them live together, so such a conflict is one that a search found.
   *
   * @param problem the records
   * @param capacityBytes the capacity
   * @param options the time limit, and the threads
   */
  public static Optional<CapacityConflict> find(
      PlanProblem problem, long capacityBytes, SearchOptions options) {
    return new ConflictFinder(problem, capacityBytes, options).find();
  }
}
