package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.StepCounter;
import dev.stowage.core.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A large neighbourhood search (Shaw, 1998) that lowers the records of a plan that end above a
 * goal.
 *
 * <p>Each repair chooses such a record and a zone, a range of tasks around its lifetime. It places
 * all records whose lifetimes lie within the zone again, below the goal, by a search; the other
 * records stay. The zone of a record grows with each attempt.
 */
final class ZoneRepair {

  /** The largest number of records in a zone. */
  private static final int MAX_RECORDS = 1000;

  /** The largest number of list entries of a zone; see {@link Partition#entryBound}. */
  private static final long MAX_ENTRIES = 4_000_000;

  /** The growth of a zone with each attempt. */
  private static final double GROWTH = 1.7;

  /** The number of task ranks added to a lifetime before it is multiplied by the growth. */
  private static final int EXTRA_RANKS = 4;

  /** The node limit of a turn. */
  private static final long TURN_NODES = 20_000;

  /** The attempts of a record whose zone became too large. */
  private static final int GIVEN_UP = Integer.MAX_VALUE;

  private final PlanProblem problem;

  /** The rank of the first task of each record. */
  private final int[] first;

  /** The rank of the last task of each record. */
  private final int[] last;

  private final long[] bytes;

  /** The records that need some byte at some task. */
  private final LifetimeTree tree;

  /** True for needed records that are not pinned. */
  private final boolean[] movable;

  private long[] offsets;

  /** The number of attempts to lower each record. */
  private final int[] attempts;

  private long nodes;
  private boolean hasProgress;

  ZoneRepair(PlanProblem problem, long[] offsets) {
    this.problem = problem;
    this.offsets = offsets.clone();
    TaskRanks ranks = TaskRanks.of(problem);
    int count = problem.records().size();
    first = new int[count];
    last = new int[count];
    bytes = new long[count];
    boolean[] needed = new boolean[count];
    movable = new boolean[count];
    attempts = new int[count];
    for (int i = 0; i < count; i++) {
      TensorUsageRecord record = problem.records().get(i);
      first[i] = ranks.ofFirst(record.firstTask());
      last[i] = ranks.ofLast(record.lastTask());
      bytes[i] = record.bytes();
      needed[i] = Partition.needsBytes(record);
      movable[i] = needed[i] && record.pinnedOffset().isEmpty();
    }
    tree =
        new LifetimeTree(
            IntStream.range(0, count).filter(i -> needed[i]).toArray(), first, last);
  }

  long[] offsets() {
    return offsets;
  }

  long nodes() {
    return nodes;
  }

  /** {@return true if the last turn lowered a record to the goal} */
  boolean hasProgress() {
    return hasProgress;
  }

  /** Restarts from another plan if fewer of its records end above the goal. */
  void restartFromIfBetter(long[] other, long goalBytes) {
    if (countAbove(other, goalBytes) < countAbove(offsets, goalBytes)) {
      offsets = other;
      Arrays.fill(attempts, 0);
    }
  }

  private int countAbove(long[] some, long goalBytes) {
    int count = 0;
    for (int i = 0; i < bytes.length; i++) {
      count += some[i] + bytes[i] > goalBytes ? 1 : 0;
    }
    return count;
  }

  /** Repairs up to the node limit; records by the number of attempts, then the highest first. */
  void turn(long goalBytes, BooleanSupplier stop) {
    PriorityQueue<Integer> above =
        new PriorityQueue<>(
            Comparator.comparingInt((Integer i) -> attempts[i])
                .thenComparing(Comparator.comparingLong((Integer i) -> end(i)).reversed())
                .thenComparingInt(i -> i));
    for (int i = 0; i < bytes.length; i++) {
      if (end(i) > goalBytes && movable[i] && attempts[i] < GIVEN_UP) {
        above.add(i);
      }
    }
    hasProgress = false;
    long before = nodes;
    while (nodes - before < TURN_NODES && !above.isEmpty() && !stop.getAsBoolean()) {
      int record = above.remove();
      if (end(record) > goalBytes) {
        nodes++;
        repair(record, goalBytes, stop);
        hasProgress |= end(record) <= goalBytes;
        if (end(record) > goalBytes && attempts[record] < GIVEN_UP) {
          above.add(record);
        }
      }
    }
  }

  private long end(int record) {
    return offsets[record] + bytes[record];
  }

  /** Chooses the zone of a record and searches it. */
  private void repair(int record, long goalBytes, BooleanSupplier stop) {
    long lifetime = last[record] - first[record] + 1;
    double growth = Math.pow(GROWTH, attempts[record]) - 1;
    long reach = (long) ((lifetime + EXTRA_RANKS) * growth);
    attempts[record]++;
    long from = first[record] - reach;
    long to = last[record] + reach;
    Indices inside = new Indices();
    Indices fixed = new Indices();
    tree.overlapping(
        (int) Math.max(0, from),
        (int) Math.min(Integer.MAX_VALUE, to),
        i -> {
          boolean isInside = movable[i] && first[i] >= from && last[i] <= to;
          (isInside ? inside : fixed).add(i);
        });
    int[] moved = inside.ascending();
    if (moved.length > MAX_RECORDS || Partition.entryBound(problem, moved) > MAX_ENTRIES) {
      attempts[record] = GIVEN_UP;
      return;
    }
    search(moved, fixed.ascending(), goalBytes, stop);
  }

  /** A growing list of indices. */
  private static final class Indices {

    private int[] indices = new int[64];
    private int count;

    void add(int index) {
      if (count == indices.length) {
        indices = Arrays.copyOf(indices, 2 * count);
      }
      indices[count++] = index;
    }

    int[] ascending() {
      int[] sorted = Arrays.copyOf(indices, count);
      Arrays.sort(sorted);
      return sorted;
    }
  }

  /**
   * Places the records inside a zone again, between the fixed ones, if the search finds offsets.
   */
  private void search(int[] inside, int[] fixed, long goalBytes, BooleanSupplier stop) {
    Partition partition;
    try {
      partition = Partition.of(problem, inside, fixed, offsets, new StepCounter(stop));
    } catch (CancellationException e) {
      return; // the caller stopped the turn
    }
    for (RecordPriority priority : RecordPriority.values()) {
      RestartedSearch search = new RestartedSearch(partition, priority);
      CapacitySearch.Outcome outcome = search.next(goalBytes, stop);
      nodes += search.nodes();
      if (outcome == CapacitySearch.Outcome.FOUND) {
        for (int i = 0; i < inside.length; i++) {
          offsets[inside[i]] = search.offsets()[i];
        }
      }
      if (outcome != CapacitySearch.Outcome.INCOMPLETE) {
        return;
      }
    }
  }
}
