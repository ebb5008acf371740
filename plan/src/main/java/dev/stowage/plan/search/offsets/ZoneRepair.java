package dev.stowage.plan.search.offsets;

import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/**
 * A large neighbourhood search (Shaw, 1998) that lowers the records of a plan that end above a
 * goal.
 *
 * <p>Each repair chooses such a record and a zone, a range of tasks around its lifetime. A search
 * places all records with lifetimes within the zone again, below the goal; the other records stay.
 * The zone of a record grows with each attempt.
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

  /** The steps of a turn, for each record and at least; they prevent that other turns wait. */
  private static final long TURN_STEPS_PER_RECORD = 1 << 11;

  private static final long MIN_TURN_STEPS = 1 << 26;

  /** The attempts of a record with a zone that became too large. */
  private static final int GIVEN_UP = Integer.MAX_VALUE;

  private final RankedRecords records;
  private long[] offsets;

  /** The number of attempts to lower each record. */
  private final int[] attempts;

  private long nodes;
  private boolean hasProgress;

  ZoneRepair(RankedRecords records, long[] offsets) {
    this.records = records;
    this.offsets = offsets.clone();
    attempts = new int[records.count()];
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
      offsets = other.clone();
      Arrays.fill(attempts, 0);
    }
  }

  private int countAbove(long[] some, long goalBytes) {
    int count = 0;
    for (int i = 0; i < records.bytes.length; i++) {
      count += some[i] + records.bytes[i] > goalBytes ? 1 : 0;
    }
    return count;
  }

  /**
   * Repairs up to the node limit; records by the number of attempts, then the highest
   * records.first.
   */
  void turn(long goalBytes, BooleanSupplier stop) {
    PriorityQueue<Integer> above =
        new PriorityQueue<>(
            Comparator.comparingInt((Integer i) -> attempts[i])
                .thenComparing(Comparator.comparingLong((Integer i) -> end(i)).reversed())
                .thenComparingInt(i -> i));
    for (int i = 0; i < records.bytes.length; i++) {
      if (end(i) > goalBytes && records.movable[i] && attempts[i] < GIVEN_UP) {
        above.add(i);
      }
    }
    hasProgress = false;
    long before = nodes;
    TurnEnd turnEnd = new TurnEnd(stop, records.count());
    while (nodes - before < TURN_NODES && !above.isEmpty() && !turnEnd.getAsBoolean()) {
      int record = above.remove();
      if (end(record) > goalBytes) {
        nodes++;
        repair(record, goalBytes, turnEnd);
        hasProgress |= end(record) <= goalBytes;
        if (end(record) > goalBytes && attempts[record] < GIVEN_UP) {
          above.add(record);
        }
      }
    }
  }

  /** Ends a turn when its caller stops it, or when its steps are used up. */
  private static final class TurnEnd implements BooleanSupplier {

    private final BooleanSupplier stop;

    /** The calls that are left; a {@link StepCounter} makes one after a fixed number of steps. */
    private long callsLeft;

    TurnEnd(BooleanSupplier stop, int recordCount) {
      this.stop = stop;
      callsLeft =
          Math.max(MIN_TURN_STEPS, TURN_STEPS_PER_RECORD * recordCount)
              / StepCounter.INTERVAL_STEPS;
    }

    @Override
    public boolean getAsBoolean() {
      return callsLeft-- <= 0 || stop.getAsBoolean();
    }
  }

  private long end(int record) {
    return offsets[record] + records.bytes[record];
  }

  /** Chooses the zone of a record and searches it. */
  private void repair(int record, long goalBytes, BooleanSupplier stop) {
    long lifetime = 1L + records.last[record] - records.first[record];
    double growth = Math.pow(GROWTH, attempts[record]) - 1;
    long reach = (long) ((lifetime + EXTRA_RANKS) * growth);
    attempts[record]++;
    long from = records.first[record] - reach;
    long to = records.last[record] + reach;
    Indices inside = new Indices();
    Indices fixed = new Indices();
    records.lifetimes.overlapping(
        (int) Math.max(0, from),
        (int) Math.min(Integer.MAX_VALUE, to),
        i -> {
          boolean isInside =
              records.movable[i] && records.first[i] >= from && records.last[i] <= to;
          (isInside ? inside : fixed).add(i);
        });
    int[] moved = inside.ascending();
    if (moved.length > MAX_RECORDS || Partition.entryBound(records.problem, moved) > MAX_ENTRIES) {
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
      partition = Partition.of(records.problem, inside, fixed, offsets, new StepCounter(stop));
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
