package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.StepCounter;
import dev.stowage.core.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * Lowers a plan of many records where it is too high: the records that live near one that ends
 * above a goal are placed anew below the goal, by a search, between all others.
 *
 * <p>Near means within a range of tasks around the record's lifetime, which grows each time that
 * the search finds nothing. What sticks out of the range stays where it is.
 */
final class ZoneRepair {

  /** Beyond that many records, a range is given up. */
  private static final int MOST_RECORDS = 1000;

  /** The same of the entries that their lists of conflicts may have. */
  private static final long MOST_ENTRIES = 4_000_000;

  /** How the range grows, in starts of records on each side. */
  private static final double GROWTH = 1.7;

  private static final int LEAST_STARTS = 4;

  /** How much one turn may take, in nodes. */
  private static final long TURN_NODES = 20_000;

  private static final int HOPELESS = Integer.MAX_VALUE;

  private final PlanProblem problem;
  private final long[] first;
  private final long[] last;
  private final long[] bytes;
  private final boolean[] needed;
  private final boolean[] movable;
  private long[] offsets;

  /** How often a range around each record was tried. */
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

  /** Goes on from another plan, with all hope, if fewer of its records end above the goal. */
  void startFromIfEasier(long[] other, long goalBytes) {
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

  /** Repairs for a while, the record tried the least first, then the one that ends highest. */
  void turn(long goalBytes, BooleanSupplier stop) {
    long before = nodes;
    while (nodes - before < TURN_NODES && !stop.getAsBoolean()) {
      int highest = -1;
      for (int i = 0; i < bytes.length; i++) {
        if (end(i) > goalBytes
            && movable[i]
            && attempts[i] < HOPELESS
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

  private void repair(int record, long goalBytes, BooleanSupplier stop) {
    long lifetime = last[record] - first[record] + 1;
    double growth = Math.pow(GROWTH, attempts[record]) - 1;
    long reach = (long) ((lifetime + LEAST_STARTS) * growth);
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
    int[] placedAnew = Arrays.copyOf(inside, insideCount);
    if (insideCount > MOST_RECORDS || Partition.entryBound(problem, placedAnew) > MOST_ENTRIES) {
      attempts[record] = HOPELESS;
      return;
    }
    search(placedAnew, Arrays.copyOf(fixed, fixedCount), goalBytes, stop);
  }

  private void search(int[] inside, int[] fixed, long goalBytes, BooleanSupplier stop) {
    Partition part;
    try {
      part = Partition.of(problem, inside, fixed, offsets, new StepCounter(stop));
    } catch (CancellationException e) {
      return; // the turn is over, too
    }
    for (RecordPriority priority : RecordPriority.values()) {
      RestartedSearch search = new RestartedSearch(part, priority);
      CapacitySearch.Outcome outcome = search.next(goalBytes, stop);
      nodes += search.nodes();
      if (outcome == CapacitySearch.Outcome.FOUND) {
        for (int i = 0; i < inside.length; i++) {
          offsets[inside[i]] = search.offsets()[i];
        }
      }
      if (outcome != CapacitySearch.Outcome.CUT) {
        return;
      }
    }
  }
}
