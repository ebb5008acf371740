package dev.stowage.plan;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.text.Message;
import java.util.List;
import java.util.Optional;

/**
 * A planning problem: usage records in the caller's order, with an alignment, pairs of records of
 * which one may take over the bytes of the other, and a reuse graph.
 *
 * <p>Immutable: each {@code with} method returns a copy.
 *
 * @param records the tensors; assignments use the same order
 * @param alignment the alignment of all records in bytes; every offset is a multiple of it, and of
 *     the record's own alignment
 * @param reuseGraph the graph that {@link #withReuseGraph} describes, if any
 * @param inPlace the pairs of records that {@link #withInPlace} describes, by ascending record
 */
public record PlanProblem(
    List<TensorUsageRecord> records,
    long alignment,
    Optional<ReuseGraph> reuseGraph,
    List<InPlace> inPlace) {

  /**
   * Creates a problem, and checks that planning it cannot overflow.
   *
   * @throws IllegalArgumentException if {@code alignment < 1}, a pinned offset is not a multiple of
   *     it, all records one after the other do not fit into {@link Long#MAX_VALUE} bytes, the graph
   *     has a different number of records, lifetimes contradict a usage graph, or for a pair as in
   *     {@link #withInPlace}. {@code x.firstTask() < y.firstTask() <= x.lastTask()} must hold if
   *     record y is computed from record x
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
    inPlace = InPlacePairs.checked(records, inPlace);
  }

  /**
   * Creates a problem without records in place.
   *
   * @param records the tensors
   * @param alignment the alignment of all offsets in bytes
   * @param reuseGraph the graph that {@link #withReuseGraph} describes, if any
   * @throws IllegalArgumentException as for the other constructor
   */
  public PlanProblem(
      List<TensorUsageRecord> records, long alignment, Optional<ReuseGraph> reuseGraph) {
    this(records, alignment, reuseGraph, List.of());
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
    return new PlanProblem(records, newAlignment, reuseGraph, inPlace);
  }

  /**
   * {@return this problem with a graph of the records that may share memory in every execution
   * order}
   *
   * <p>The graph is for tasks that may run in another order than their numbers. Two records then
   * share memory only if the graph permits it and their lifetimes have no task in common. All
   * plans, the lower bounds and the checker respect the graph. Gaps and {@link #inPlace} are
   * ignored, since they refer to a single order: a record occupies all of its bytes throughout its
   * lifetime.
   *
   * @param graph the graph
   * @throws IllegalArgumentException as for the constructor
   */
  public PlanProblem withReuseGraph(ReuseGraph graph) {
    return new PlanProblem(records, alignment, Optional.of(graph), inPlace);
  }

  /**
   * {@return this problem with other records in place}
   *
   * <p>An operator that works in place writes its result over an input. A pair permits this to a
   * record and its source, which ends at the first task of the record. The two may share bytes at
   * this task if
   *
   * <ul>
   *   <li>both have the same offset, which satisfies the alignments, pins and hints of both;
   *   <li>the record has at most as many bytes as its source;
   *   <li>no gap of the two contains the task;
   *   <li>the problem has no graph.
   * </ul>
   *
   * <p>Otherwise, the pair has no effect. Two records in place of the same source must not share
   * bytes with each other, so that a plan uses at most one of the two pairs.
   *
   * <p>Pairs are permissions, not requirements. The search for offsets, its lower bounds and the
   * checker use them. Shared objects and all other strategies plan as if there were none.
   *
   * @param pairs the pairs, in any order
   * @throws IllegalArgumentException if a pair has an index that is negative or {@code >=
   *     records().size()}, a source does not end at the first task of its record, a record is in
   *     place of two others, or a record is in place of itself, directly or by way of others
   */
  public PlanProblem withInPlace(List<InPlace> pairs) {
    return new PlanProblem(records, alignment, reuseGraph, pairs);
  }

  /** {@return the pairs of {@link #withInPlace} that have an effect; none with a graph} */
  public List<InPlace> usableInPlace() {
    return reuseGraph.isPresent() ? List.of() : inPlace.stream().filter(this::isUsable).toList();
  }

  private boolean isUsable(InPlace pair) {
    TensorUsageRecord record = records.get(pair.record());
    TensorUsageRecord source = records.get(pair.source());
    long task = record.firstTask();
    return 0 < record.bytes()
        && record.bytes() <= source.bytes()
        && record.gaps().stream().noneMatch(gap -> gap.firstTask() <= task)
        && source.gaps().stream().noneMatch(gap -> gap.lastTask() >= task);
  }

  /**
   * {@return a problem that consists of some of the records, and of the pairs in place of two of
   * them}
   *
   * @param indices the indices of the records in this problem, in the order of the new one
   * @throws IndexOutOfBoundsException if an index is negative or {@code >= records().size()}
   */
  public PlanProblem subset(List<Integer> indices) {
    return new PlanProblem(
        indices.stream().map(records::get).toList(),
        alignment,
        reuseGraph.map(graph -> graph.subset(indices)),
        InPlacePairs.subset(inPlace, indices, records.size()));
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
        records.stream().map(record -> record.withGaps(List.of())).toList(),
        alignment,
        reuseGraph,
        inPlace);
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
   * {@return the least common multiple of a record's own alignment and the problem's alignment}
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
            Message.of(
                "records up to %s need more than 2^63 - 1 bytes: bytes=%d, alignment=%d%s",
                record.label(i), record.bytes(), record.alignment(), alignmentOfAll),
            e);
      }
    }
  }

  private static void checkPin(String label, long offset, long alignment) {
    if (offset % alignment != 0) {
      throw Message.illegalArgument(
          "%s is pinned to an offset that is not a multiple of the alignment of all records: offset=%d, alignment=%d",
          label, offset, alignment);
    }
  }

  private static void checkGraph(List<TensorUsageRecord> records, ReuseGraph graph) {
    if (graph.recordCount() != records.size()) {
      throw Message.illegalArgument(
          "the %s graph has %d list%s for %d record%s, expected one for each",
          graph.isUsageGraph() ? "usage" : "reallocation",
          graph.recordCount(),
          graph.recordCount() == 1 ? "" : "s",
          records.size(),
          records.size() == 1 ? "" : "s");
    }
    if (graph.isUsageGraph()) {
      for (int i = 0; i < records.size(); i++) {
        for (int dependent : graph.dependents(i)) {
          checkDependent(i, records.get(i), dependent, records.get(dependent));
        }
      }
    }
  }

  /** Throws unless a dependent starts during the lifetime of its source, after its first task. */
  private static void checkDependent(
      int index, TensorUsageRecord record, int dependentIndex, TensorUsageRecord dependent) {
    if (dependent.firstTask() <= record.firstTask() || dependent.firstTask() > record.lastTask()) {
      throw Message.illegalArgument(
          "%s, computed from %s (tasks %d to %d), starts at task %d; expected %s",
          dependent.label(dependentIndex),
          record.label(index),
          record.firstTask(),
          record.lastTask(),
          dependent.firstTask(),
          expectedStart(record));
    }
  }

  /** {@return the tasks where a dependent of a record may start, in words} */
  private static String expectedStart(TensorUsageRecord record) {
    long first = record.firstTask() + 1;
    long last = record.lastTask();
    if (first > last) {
      return "the latter to be live after its first task";
    }
    return first == last ? "task " + first : Message.of("a task from %d to %d", first, last);
  }
}
