package dev.stowage.plan.explain;

import java.util.List;

/**
 * Records that provably do not fit together into a capacity.
 *
 * <p>The set is minimal unless the time limit was reached: without any one of the records, the
 * reason does not hold.
 *
 * @param records their indices, ascending
 * @param leastBytes a lower bound of an arena of these records, proved; more than the capacity
 * @param reason the reason why they do not fit
 */
public record CapacityConflict(List<Integer> records, long leastBytes, Reason reason) {

  /** The reason why records do not fit into a capacity. */
  public sealed interface Reason {

    /**
     * At one task, the records need more bytes than the capacity: {@code leastBytes}. Bytes that
     * pinned records share count once.
     *
     * @param task the task
     * @param isExact true if a plan with an arena of {@code leastBytes} was found; otherwise, pins,
     *     alignments and other tasks may require a larger one
     */
    record LiveBytes(long task, boolean isExact) implements Reason {}

    /**
     * A single record ends beyond the capacity. It is pinned too high, or it is larger than the
     * capacity and never needs all of its bytes at the same task.
     */
    record RecordEnd() implements Reason {}

    /**
     * At one task, all bytes of each record are live, and alignment requires too much padding
     * between the records.
     *
     * @param task the task
     * @param alignmentBytes every offset of the records is a multiple of this
     * @param isExact true if a plan with an arena of {@code leastBytes} was found
     */
    record Padding(long task, long alignmentBytes, boolean isExact) implements Reason {}

    /**
     * All records except one are pinned, and the gaps between them are too small for that one.
     *
     * @param blocked the index of the record that is not pinned
     * @param isExact true if a plan with an arena of {@code leastBytes} was found
     */
    record Pins(int blocked, boolean isExact) implements Reason {}

    /**
     * An exhaustive search found no placement of the records.
     *
     * @param isExact true if a plan with an arena of {@code leastBytes} was found
     */
    record NoPlacement(boolean isExact) implements Reason {}
  }

  /** Creates a conflict. */
  public CapacityConflict {
    records = List.copyOf(records);
  }
}
