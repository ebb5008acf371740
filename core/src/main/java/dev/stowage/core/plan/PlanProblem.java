package dev.stowage.core.plan;

import dev.stowage.core.plan.base.Alignment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A planning problem: usage records in the caller's order, with an alignment and a reuse graph.
 *
 * @param records the tensors; assignments use the same order
 * @param alignment the alignment of all records in bytes; every offset is a multiple of it, and of
 *     the record's own alignment
 * @param reuseGraph the tensors that may share memory in every execution order, if tasks may run in
 *     an order other than that of their numbers. Two records then share memory only if the graph
 *     permits it and their lifetimes have no task in common. All plans, the lower bounds and the
 *     checker respect the graph. Gaps are ignored, since they refer to a single order: a record
 *     occupies all of its bytes throughout its lifetime
 */
public record PlanProblem(
    List<TensorUsageRecord> records, long alignment, Optional<ReuseGraph> reuseGraph) {

  /**
   * Creates a problem, and checks that planning it cannot overflow.
   *
   * @throws IllegalArgumentException if {@code alignment < 1}, a pinned offset is not a multiple of
   *     it, all records one after the other do not fit into {@link Long#MAX_VALUE} bytes, the graph
   *     has a different number of records, or lifetimes contradict a usage graph: {@code
   *     x.firstTask() < y.firstTask() <= x.lastTask()} must hold if record y is computed from
   *     record x
   */
  public PlanProblem {
    records = List.copyOf(records);
    if (alignment < 1) {
      throw new IllegalArgumentException("alignment must be positive: alignment=" + alignment);
    }
    checkBytes(records, alignment);
    if (reuseGraph.isPresent()) {
      checkGraph(records, reuseGraph.get());
    }
  }

  /**
   * {@return a problem with alignment 1 and without a reuse graph}
   *
   * @param records the tensors
   * @throws IllegalArgumentException if all records one after the other do not fit into {@link
   *     Long#MAX_VALUE} bytes
   */
  public static PlanProblem of(List<TensorUsageRecord> records) {
    return new PlanProblem(records, 1, Optional.empty());
  }

  /**
   * {@return this problem with another alignment of all records}
   *
   * @param newAlignment any positive number of bytes
   * @throws IllegalArgumentException as for the constructor
   */
  public PlanProblem withAlignment(long newAlignment) {
    return new PlanProblem(records, newAlignment, reuseGraph);
  }

  /**
   * {@return this problem with a graph of the records that may share memory}
   *
   * @param graph a {@link UsageGraph} or a {@link ReallocationGraph}
   * @throws IllegalArgumentException as for the constructor
   */
  public PlanProblem withReuseGraph(ReuseGraph graph) {
    return new PlanProblem(records, alignment, Optional.of(graph));
  }

  /**
   * {@return a problem that consists of some of the records}
   *
   * @param indices the indices of the records in this problem, in the order of the new one
   * @throws IndexOutOfBoundsException if an index is negative or {@code >= records().size()}
   */
  public PlanProblem subset(List<Integer> indices) {
    return new PlanProblem(
        indices.stream().map(records::get).toList(),
        alignment,
        reuseGraph.map(graph -> graph.reallocationGraph().subset(indices)));
  }

  /**
   * {@return this problem without gaps if it has a graph, since plans then ignore gaps; otherwise
   * this problem}
   */
  public PlanProblem withoutUnusedGaps() {
    if (reuseGraph.isEmpty() || records.stream().allMatch(record -> record.gaps().isEmpty())) {
      return this;
    }
    return new PlanProblem(
        records.stream().map(record -> record.withGaps(List.of())).toList(), alignment, reuseGraph);
  }

  /** {@return the sum of the sizes of all records, in bytes: the memory needed without sharing} */
  public long naiveBytes() {
    return records.stream().mapToLong(TensorUsageRecord::bytes).sum();
  }

  /** {@return true if a record is pinned to an offset} */
  public boolean hasPins() {
    return records.stream().anyMatch(record -> record.pinnedOffset().isPresent());
  }

  /**
   * {@return the least common multiple of a record's own alignment and that of all records}
   *
   * @param record one of the records
   */
  public long alignmentOf(TensorUsageRecord record) {
    return record.alignment() == 1
        ? alignment
        : Alignment.leastCommonMultiple(alignment, record.alignment());
  }

  private static void checkBytes(List<TensorUsageRecord> records, long alignment) {
    long end = 0;
    long lastPinnedEnd = 0;
    for (int i = 0; i < records.size(); i++) {
      TensorUsageRecord record = records.get(i);
      try {
        long slack = Alignment.leastCommonMultiple(alignment, record.alignment()) - 1;
        end = Math.addExact(Math.addExact(end, record.bytes()), slack);
        if (record.pinnedOffset().isPresent()) {
          long offset = record.pinnedOffset().getAsLong();
          lastPinnedEnd = Math.max(lastPinnedEnd, Math.addExact(offset, record.bytes()));
          checkPin(record.label(i), offset, alignment);
        }
        Math.addExact(end, lastPinnedEnd);
      } catch (ArithmeticException e) {
        String alignmentOfAll = alignment == 1 ? "" : ", alignment of all records=" + alignment;
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "records up to %s need more than 2^63 - 1 bytes: bytes=%d, alignment=%d%s",
                record.label(i),
                record.bytes(),
                record.alignment(),
                alignmentOfAll),
            e);
      }
    }
  }

  private static void checkPin(String label, long offset, long alignment) {
    if (offset % alignment != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s is pinned to an offset that is not a multiple of the alignment of all records: offset=%d, alignment=%d",
              label,
              offset,
              alignment));
    }
  }

  private static void checkGraph(List<TensorUsageRecord> records, ReuseGraph graph) {
    if (graph.recordCount() != records.size()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the %s graph has %d list%s for %d record%s, expected one for each",
              graph instanceof UsageGraph ? "usage" : "reallocation",
              graph.recordCount(),
              graph.recordCount() == 1 ? "" : "s",
              records.size(),
              records.size() == 1 ? "" : "s"));
    }
    if (graph instanceof UsageGraph usage) {
      for (int i = 0; i < records.size(); i++) {
        for (int dependent : usage.dependents(i)) {
          checkDependent(i, records.get(i), dependent, records.get(dependent));
        }
      }
    }
  }

  /** Throws unless a dependent starts during the lifetime of its source, after its first task. */
  private static void checkDependent(
      int index, TensorUsageRecord record, int dependentIndex, TensorUsageRecord dependent) {
    if (dependent.firstTask() <= record.firstTask() || dependent.firstTask() > record.lastTask()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s, computed from %s (tasks %d to %d), starts at task %d; expected %s",
              dependent.label(dependentIndex),
              record.label(index),
              record.firstTask(),
              record.lastTask(),
              dependent.firstTask(),
              expectedStart(record)));
    }
  }

  /** {@return a phrase for the tasks at which a dependent of a record may start} */
  private static String expectedStart(TensorUsageRecord record) {
    long first = record.firstTask() + 1;
    long last = record.lastTask();
    if (first > last) {
      return "the latter to be live after its first task";
    }
    return first == last
        ? "task " + first
        : String.format(Locale.ROOT, "a task from %d to %d", first, last);
  }
}
