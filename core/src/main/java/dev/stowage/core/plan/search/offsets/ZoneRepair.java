package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.StepCounter;
import dev.stowage.core.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

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
  private final long[] first;

  /** The rank of the last task of each record. */
  private final long[] last;

  private final long[] bytes;

  /** True for records that need some byte at some task. */
  private final boolean[] needed;

  /** True for needed records that are not pinned. */
  private final boolean[] movable;

  private long[] offsets;

  /** The number of attempts to lower each record. */
  private final int[] attempts;

  private long nodes;

  ZoneRepair(PlanProblem problem, long[] offsets) {
    this.problem = problem;
    this.offsets = offsets.clone();
    TaskRanks ranks = TaskRanks.of(problem);
    int count = problem.records().size();
    first = new long[count];
    last = new long[count];
    bytes = new long[count];
    needed = new boolean[count];
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
  }

  long[] offsets() {
    return offsets;
  }

  long nodes() {
    return nodes;
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
    long before = nodes;
    while (nodes - before < TURN_NODES && !stop.getAsBoolean()) {
      int highest = -1;
      for (int i = 0; i < bytes.length; i++) {
        if (end(i) > goalBytes
            && movable[i]
            && attempts[i] < GIVEN_UP
            && (highest < 0
                || attempts[i] < attempts[highest]
                || (attempts[i] == attempts[highest] && end(i) > end(highest)))) {
          highest = i;
        }
      }
      if (highest < 0) {
        return;
      }
      nodes++;
      repair(highest, goalBytes, stop);
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
    int[] inside = new int[bytes.length];
    int[] fixed = new int[bytes.length];
    int insideCount = 0;
    int fixedCount = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (needed[i] && first[i] <= to && last[i] >= from) {
        if (movable[i] && first[i] >= from && last[i] <= to) {
          inside[insideCount++] = i;
        } else {
          fixed[fixedCount++] = i;
        }
      }
    }
    int[] moved = Arrays.copyOf(inside, insideCount);
    if (insideCount > MAX_RECORDS || Partition.entryBound(problem, moved) > MAX_ENTRIES) {
      attempts[record] = GIVEN_UP;
      return;
    }
    search(moved, Arrays.copyOf(fixed, fixedCount), goalBytes, stop);
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
