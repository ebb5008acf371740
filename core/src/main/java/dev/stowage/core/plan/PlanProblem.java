package dev.stowage.core.plan;

import java.util.List;
import java.util.Optional;

/**
 * What is to be planned: usage records in the caller's order, and what holds for all of them.
 *
 * @param records the tensors; every assignment answers in this order
 * @param alignment every offset is a multiple of this, and of the record's own alignment
 * @param usageGraph which tensors depend on which. {@link MemoryStrategy#GREEDY_IN_ORDER} then lets
 *     tensors share an object only if every execution order that respects the graph allows it; all
 *     other plans, and the checker, are of the order in which tasks are numbered
 */
public record PlanProblem(
    List<TensorUsageRecord> records, long alignment, Optional<UsageGraph> usageGraph) {

  /**
   * A problem that can be planned without overflow.
   *
   * @throws IllegalArgumentException if {@code alignment < 1}, a pinned offset is no multiple of
   *     it, the graph is not of as many records, or all records one after the other do not fit into
   *     {@link Long#MAX_VALUE} bytes
   */
  public PlanProblem {
    records = List.copyOf(records);
    if (alignment < 1) {
      throw new IllegalArgumentException("an alignment is below 1: alignment=" + alignment);
    }
    if (usageGraph.isPresent() && usageGraph.get().recordCount() != records.size()) {
      throw new IllegalArgumentException(
          "the usage graph is of %d records, the problem of %d"
              .formatted(usageGraph.get().recordCount(), records.size()));
    }
    checkBytes(records, alignment);
  }

  /**
   * {@return a problem without alignment and without a usage graph}
   *
   * @param records the tensors
   * @throws IllegalArgumentException if all records one after the other do not fit into {@link
   *     Long#MAX_VALUE} bytes
   */
  public static PlanProblem of(List<TensorUsageRecord> records) {
    return new PlanProblem(records, 1, Optional.empty());
  }

  /**
   * {@return this problem with an alignment of every offset}
   *
   * @param newAlignment any positive number of bytes
   * @throws IllegalArgumentException as the constructor
   */
  public PlanProblem withAlignment(long newAlignment) {
    return new PlanProblem(records, newAlignment, usageGraph);
  }

  /**
   * {@return this problem with a usage graph}
   *
   * @param graph which records depend on which
   * @throws IllegalArgumentException if {@code graph.recordCount() != records().size()}
   */
  public PlanProblem withUsageGraph(UsageGraph graph) {
    return new PlanProblem(records, alignment, Optional.of(graph));
  }

  /** {@return the bytes that the records take when nothing is shared} */
  public long naiveBytes() {
    return records.stream().mapToLong(TensorUsageRecord::bytes).sum();
  }

  /** {@return whether some record is pinned to an offset} */
  public boolean hasPins() {
    return records.stream().anyMatch(record -> record.pinnedOffset().isPresent());
  }

  /**
   * {@return what a record's offset is a multiple of: both its own alignment and the problem's}
   *
   * @param record one of the records
   */
  public long alignmentOf(TensorUsageRecord record) {
    return record.alignment() == 1 ? alignment : Alignment.both(alignment, record.alignment());
  }

  private static void checkBytes(List<TensorUsageRecord> records, long alignment) {
    long end = 0;
    long lastPinnedEnd = 0;
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      try {
        long slack = Alignment.both(alignment, record.alignment()) - 1;
        end = Math.addExact(Math.addExact(end, record.bytes()), slack);
        if (record.pinnedOffset().isPresent()) {
          long offset = record.pinnedOffset().getAsLong();
          lastPinnedEnd = Math.max(lastPinnedEnd, Math.addExact(offset, record.bytes()));
          checkPin(i, offset, alignment);
        }
        Math.addExact(end, lastPinnedEnd);
      } catch (ArithmeticException e) {
        throw new IllegalArgumentException(
            "records up to record %d need more than 2^63 - 1 bytes: bytes=%d, alignment=%d"
                .formatted(i, record.bytes(), record.alignment()),
            e);
      }
    }
  }

  private static void checkPin(int index, long offset, long alignment) {
    if (offset % alignment != 0) {
      throw new IllegalArgumentException(
          "record %d is pinned to an offset that is not a multiple of the alignment of all: offset=%d, alignment=%d"
              .formatted(index, offset, alignment));
    }
  }
}
