package dev.stowage.core.plan;

import dev.stowage.core.plan.base.Alignment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What is to be planned: usage records in the caller's order, and what holds for all of them.
 *
 * @param records the tensors; every assignment answers in this order
 * @param alignment every offset is a multiple of this, and of the record's own alignment
 * @param reuseGraph which tensors may share memory in every execution order. Two records then share
 *     memory only if their lifetimes have no task in common and the graph permits it. All plans,
 *     the lower bounds and the checker respect the graph. As gaps are times of a single order, a
 *     record with gaps holds all of its bytes throughout its lifetime
 */
public record PlanProblem(
    List<TensorUsageRecord> records, long alignment, Optional<ReuseGraph> reuseGraph) {

  /**
   * A problem that can be planned without overflow.
   *
   * @throws IllegalArgumentException if {@code alignment < 1}, a pinned offset is no multiple of
   *     it, all records one after the other do not fit into {@link Long#MAX_VALUE} bytes, the graph
   *     has another number of records, or lifetimes contradict a usage graph: where record y is
   *     computed from record x, {@code x.firstTask() < y.firstTask() <= x.lastTask()}
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
    return new PlanProblem(records, newAlignment, reuseGraph);
  }

  /**
   * {@return this problem with a graph of the records that may share memory}
   *
   * @param graph a {@link UsageGraph} or a {@link ReallocationGraph}
   * @throws IllegalArgumentException as the constructor
   */
  public PlanProblem withReuseGraph(ReuseGraph graph) {
    return new PlanProblem(records, alignment, Optional.of(graph));
  }

  /**
   * {@return the problem of some of the records}
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
   * {@return this problem without the gaps if it has a graph, as they do not count then; otherwise
   * this problem}
   */
  public PlanProblem withoutUnusedGaps() {
    if (reuseGraph.isEmpty() || records.stream().allMatch(record -> record.gaps().isEmpty())) {
      return this;
    }
    return new PlanProblem(
        records.stream().map(record -> record.withGaps(List.of())).toList(), alignment, reuseGraph);
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
          checkPin(record.label(i), offset, alignment);
        }
        Math.addExact(end, lastPinnedEnd);
      } catch (ArithmeticException e) {
        String ofAll = alignment == 1 ? "" : ", alignment of all=" + alignment;
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "records up to %s need more than 2^63 - 1 bytes: bytes=%d, alignment=%d%s",
                record.label(i),
                record.bytes(),
                record.alignment(),
                ofAll),
            e);
      }
    }
  }

  private static void checkPin(String label, long offset, long alignment) {
    if (offset % alignment != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s is pinned to an offset that is not a multiple of the alignment of all: offset=%d, alignment=%d",
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

  /** A task reads the one record and computes the other. */
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
      return "the latter to live longer than its first task";
    }
    return first == last
        ? "task " + first
        : String.format(Locale.ROOT, "a task from %d to %d", first, last);
  }
}
