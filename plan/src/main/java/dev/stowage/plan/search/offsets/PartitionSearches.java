package dev.stowage.plan.search.offsets;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.time.TaskLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.BooleanSupplier;

/** The searches of the partitions of a problem, as many at a time as memory permits. */
public final class PartitionSearches {

  /*
   * The size of an arena is the size of its highest partition. So the highest partitions are
   * searched first. When a partition is low enough, its search ends and makes room for the next
   * one.
   */

  /** The largest number of movable records of an {@link ExactPartitionSearch}. */
  private static final int EXACT_RECORD_LIMIT = 4000;

  /** The largest number of movable records that only an {@link ExactPartitionSearch} searches. */
  private static final int ONLY_EXACT_RECORD_LIMIT = 1500;

  /** The largest number of list entries of an {@link ExactPartitionSearch}. */
  private static final long EXACT_ENTRY_LIMIT = 25_000_000;

  /** The largest number of list entries of all running searches. */
  private static final long MAX_RUNNING_ENTRIES = 32_000_000;

  /** The memory of the searches of the smallest partition, in list entries. */
  private static final long ENTRIES_PER_SEARCH = 3_000;

  private final PlanProblem problem;
  private final OffsetsAssignment plan;
  private final BooleanSupplier stop;
  private final Queue<WaitingPartition> waiting =
      new PriorityQueue<>(
          Comparator.comparingLong((WaitingPartition partition) -> -partition.endBytes)
              .thenComparingInt(partition -> partition.number));
  private final List<RunningSearch> running = new ArrayList<>();

  /** The offsets of all records; {@link #assemble} updates the parts of running searches. */
  private final long[] offsets;

  private long lowerBytes;
  private long nodesOfEnded;

  /** A partition that no search has begun. */
  private static final class WaitingPartition {

    private final int number;
    private final int[] records;
    private final long endBytes;

    WaitingPartition(int number, int[] records, long endBytes) {
      this.number = number;
      this.records = records;
      this.endBytes = endBytes;
    }
  }

  /** A search and the number of its list entries. */
  private record RunningSearch(PartitionSearch search, long entries) {}

  /**
   * Creates the searches of a problem.
   *
   * @param plan the plan to start from
   * @param stop true to give up
   */
  public PartitionSearches(PlanProblem problem, OffsetsAssignment plan, BooleanSupplier stop) {
    this.problem = problem;
    this.plan = plan;
    this.stop = stop;
    offsets = plan.offsets();
    for (int i = 0; i < offsets.length; i++) {
      if (!isPinned(i) && !PartitionSplit.needsBytes(problem.records().get(i))) {
        offsets[i] = 0; // in no partition; conflicts with no record
      }
    }
    for (int[] records : PartitionSplit.of(problem)) {
      long end = 0;
      for (int i : records) {
        end = Math.max(end, offsets[i] + problem.records().get(i).bytes());
      }
      waiting.add(new WaitingPartition(waiting.size(), records, end));
    }
  }

  private boolean isPinned(int record) {
    return problem.records().get(record).pinnedOffset().isPresent();
  }

  /**
   * Ends the searches of partitions that are low enough, and begins searches of others.
   *
   * @param goalBytes a partition of this size is low enough
   * @throws java.util.concurrent.CancellationException if the caller stops the search
   */
  public void startAbove(long goalBytes) {
    for (RunningSearch partition : running) {
      if (partition.search.upperBytes() <= goalBytes) {
        nodesOfEnded += partition.search.nodes();
      }
    }
    running.removeIf(partition -> partition.search.upperBytes() <= goalBytes);
    long entries = running.stream().mapToLong(RunningSearch::entries).sum();
    for (WaitingPartition next = waiting.peek();
        next != null && next.endBytes > goalBytes;
        next = waiting.peek()) {
      Optional<RunningSearch> begun = begin(next.records, MAX_RUNNING_ENTRIES - entries);
      if (begun.isEmpty()) {
        return;
      }
      waiting.remove();
      running.add(begun.get());
      entries += begun.get().entries;
      lowerBytes = Math.max(lowerBytes, begun.get().search.lowerBytes());
    }
  }

  /** {@return a search; empty if its lists would have more than {@code entriesLeft} entries} */
  private Optional<RunningSearch> begin(int[] records, long entriesLeft) {
    int[] movable = Arrays.stream(records).filter(i -> !isPinned(i)).toArray();
    int[] pinned = Arrays.stream(records).filter(this::isPinned).toArray();
    long entries =
        ENTRIES_PER_SEARCH
            + ExactPartitionSearch.tableEntries(movable.length)
            + Partition.entryBound(problem, movable);
    boolean isLarge = movable.length > EXACT_RECORD_LIMIT || entries > EXACT_ENTRY_LIMIT;
    if (!isLarge && entries > entriesLeft && !running.isEmpty()) {
      return Optional.empty();
    }
    PlanProblem partitionProblem =
        new PlanProblem(
            Arrays.stream(records).mapToObj(problem.records()::get).toList(),
            problem.alignment(),
            Optional.empty());
    long least = TaskLoad.minArenaBytes(partitionProblem);
    if (isLarge) {
      return Optional.of(
          new RunningSearch(new LargePartitionSearch(records, partitionProblem, least, plan), 0));
    }
    PartitionSearch search = new ExactPartitionSearch(problem, movable, pinned, least, plan, stop);
    return Optional.of(
        new RunningSearch(
            movable.length <= ONLY_EXACT_RECORD_LIMIT
                ? search
                : new CombinedPartitionSearch(
                    search, new LargePartitionSearch(records, partitionProblem, least, plan)),
            entries));
  }

  /** {@return the running searches} */
  public List<PartitionSearch> searches() {
    return running.stream().map(RunningSearch::search).toList();
  }

  /** {@return the lower bound of every arena that the searches proved so far} */
  public long lowerBytes() {
    return lowerBytes;
  }

  /** {@return the number of placements tried} */
  public long nodes() {
    return nodesOfEnded + running.stream().mapToLong(partition -> partition.search.nodes()).sum();
  }

  /** Merges the results of the searches and {@return the best plan} */
  public OffsetsAssignment assemble() {
    for (RunningSearch partition : running) {
      partition.search.copyOffsets(offsets);
      lowerBytes = Math.max(lowerBytes, partition.search.lowerBytes());
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }
}
