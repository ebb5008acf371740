package dev.stowage.plan.search.offsets;

import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A local search that moves all records of a plan below a capacity by guided ejection (Nagata and
 * Bräysy, "A Powerful Route Minimization Heuristic for the Vehicle Routing Problem with Time
 * Windows", 2009).
 *
 * <p>The records that end above the capacity lose their offsets. Each of them takes the offset
 * below the capacity where it overlaps the least weight of records, and these lose their offsets in
 * turn. The weight of a record grows when it takes an offset from others. When all records have
 * offsets, the plan is valid.
 */
final class EjectionRepair {

  /*
   * The capacity of an attempt lies between the goal and the end of the best plan. After a success,
   * the next one is closer to the goal; after a failure, it is closer to the best plan.
   *
   * The records above the capacity form spots, by overlapping lifetimes. An attempt repairs one spot
   * after the other. If it fails at a spot, all records that it moved there return to their offsets,
   * so that the plan is valid between two spots, and other spots keep their repairs. The next repair
   * also takes the offsets of some records around a spot, in order to start from another state.
   *
   * The steps of a turn and of an attempt depend on the number of records, so that a turn takes
   * about as long as a turn of the other searches of a LargePartitionSearch.
   *
   *   W1  every movable record without an offset is in `unplaced`, once, and in `moved`.
   *
   * Lifetimes include gaps, so a plan may already have records that overlap during a gap. They stay
   * as they are until one of them is moved.
   */

  private static final long TURN_STEPS_PER_RECORD = 128;
  private static final long ATTEMPT_STEPS_PER_RECORD = 16;
  private static final long MIN_ATTEMPT_STEPS = 1_000_000;

  /** The steps of an insertion, besides one for each conflict. */
  private static final int STEPS_PER_INSERTION = 64;

  /** The time of a step, in steps of a {@link StepCounter}. */
  private static final int STEP_COST = 16;

  private static final double FIRST_DISTANCE = 0.5;
  private static final double MAX_DISTANCE = 0.95;

  /** The factor of the distance after a success. */
  private static final double SUCCESS_FACTOR = 0.75;

  /** The weight of a record that is as large as the arena, for each rank of its lifetime. */
  private static final double WEIGHT_PER_RANK = 100;

  /** The largest share of the records around a spot that lose their offsets after a failure. */
  private static final double MAX_SHARE = 0.5;

  /** The number of records without an offset among which the next one is chosen. */
  private static final int CHOICES = 4;

  private final RankedRecords records;
  private final SplittableRandom random;
  private final int attemptShift;

  /** The offsets of a valid plan, except within a spot; those without a place are not used. */
  private long[] offsets;

  /** The end of the plan. */
  private long bestEnd;

  private final boolean[] isPlaced;
  private final double[] weights;

  /** The movable records without an offset. */
  private int[] unplaced = new int[64];

  private int unplacedCount;

  /** The records that lost their offsets in the spot, in this order; a record may occur twice. */
  private int[] moved = new int[64];

  /** The offsets that they lost. */
  private long[] lostOffsets = new long[64];

  private int movedCount;

  /** True if the last turn found a smaller plan. */
  private boolean hasProgress;

  /** The capacity of an attempt: 0 is the goal, and 1 the end of the best plan. */
  private double distance = FIRST_DISTANCE;

  private long capacity;

  /** True if the last spot kept its records above the capacity. */
  private boolean hasFailed;

  /** The steps that are left in the turn. */
  private long stepsLeft;

  private long nodes;

  /** The placed records that conflict with the one to insert. */
  private int[] conflicts = new int[64];

  private int conflictCount;

  /**
   * Creates a repair that starts from a plan.
   *
   * @param offsets the offsets of the plan
   * @param variant the number of the repair. Its attempts are a quarter as long as the attempts of
   *     the repair before, which suits other problems; its random choices differ, too
   */
  EjectionRepair(RankedRecords records, long[] offsets, int variant) {
    this.records = records;
    attemptShift = 2 * variant;
    random = new SplittableRandom(1 + variant);
    this.offsets = offsets.clone();
    bestEnd = records.end(offsets);
    isPlaced = new boolean[records.count()];
    Arrays.fill(isPlaced, true);
    weights = new double[records.count()];
  }

  /** {@return a copy of the offsets of the plan} */
  long[] offsets() {
    return offsets.clone();
  }

  long nodes() {
    return nodes;
  }

  /** {@return true if the last turn found a smaller plan} */
  boolean hasProgress() {
    return hasProgress;
  }

  /** Continues from another plan if it is smaller. */
  void restartFromIfBetter(long[] other) {
    long end = records.end(other);
    if (end < bestEnd) {
      offsets = other.clone();
      bestEnd = end;
    }
  }

  /** Makes attempts up to the step limit, or until a plan reaches the goal. */
  void turn(long goalBytes, BooleanSupplier stop) {
    hasProgress = false;
    StepCounter steps = new StepCounter(stop);
    stepsLeft = Math.max(MIN_ATTEMPT_STEPS, TURN_STEPS_PER_RECORD * records.count());
    try {
      while (stepsLeft > 0 && bestEnd > goalBytes) {
        steps.check(records.count());
        attempt(goalBytes, steps);
      }
    } catch (CancellationException e) {
      restore(); // the caller stopped the turn
    }
  }

  /** Lowers the records of one spot after the other below a capacity. */
  private void attempt(long goalBytes, StepCounter steps) {
    stepsLeft -= 1 + records.count() / 8L;
    capacity = goalBytes + (long) (distance * (bestEnd - 1 - goalBytes));
    Arrays.setAll(weights, this::firstWeight);
    List<int[]> spots = spots();
    long limit =
        Math.max(
                MIN_ATTEMPT_STEPS,
                ATTEMPT_STEPS_PER_RECORD * records.count() / Math.max(1, spots.size()))
            >> attemptShift;
    int start = random.nextInt(Math.max(1, spots.size()));
    int lowered = 0;
    for (int k = 0; k < spots.size(); k++) {
      if (stepsLeft <= 0) {
        return; // the next turn continues
      }
      lowered += isLowered(spots.get((start + k) % spots.size()), limit, steps) ? 1 : 0;
    }
    if (lowered == spots.size()) {
      bestEnd = records.end(offsets);
      hasProgress = true;
      distance *= SUCCESS_FACTOR;
    } else if (lowered == 0) {
      distance = Math.min(MAX_DISTANCE, (1 + distance) / 2);
    }
  }

  private double firstWeight(int record) {
    double ranks = records.last[record] - records.first[record] + 1.0;
    return records.movable[record]
        ? 1 + WEIGHT_PER_RANK * ranks * records.bytes[record] / Math.max(1, capacity)
        : Double.POSITIVE_INFINITY;
  }

  /** {@return the records above the capacity; records with overlapping lifetimes are together} */
  private List<int[]> spots() {
    int[] above =
        IntStream.range(0, records.count())
            .filter(i -> records.movable[i] && offsets[i] > capacity - records.bytes[i])
            .toArray();
    int[] byFirst = IndexOrder.ascending(above.length, k -> records.first[above[k]]);
    List<int[]> spots = new ArrayList<>();
    int start = 0;
    int last = -1;
    for (int k = 0; k <= byFirst.length; k++) {
      if (k == byFirst.length || records.first[above[byFirst[k]]] > last) {
        if (k > start) {
          spots.add(
              Arrays.stream(byFirst, start, k).map(position -> above[position]).sorted().toArray());
        }
        start = k;
      }
      last = k < byFirst.length ? Math.max(last, records.last[above[byFirst[k]]]) : last;
    }
    return spots;
  }

  /** Lowers the records of a spot below the capacity and {@return true if it succeeds} */
  private boolean isLowered(int[] spot, long limit, StepCounter steps) {
    for (int record : spot) {
      if (offsets[record] > capacity - records.bytes[record]) { // else, another spot lowered it
        eject(record);
      }
    }
    if (hasFailed) {
      ejectAround(spot);
    }
    long count = 0;
    while (unplacedCount > 0 && count < limit) {
      nodes++;
      insert(removeUnplaced());
      long cost = STEPS_PER_INSERTION + (long) conflictCount;
      count += cost;
      steps.check(STEP_COST * cost);
    }
    stepsLeft -= count;
    boolean isLowered = unplacedCount == 0;
    if (isLowered) {
      movedCount = 0;
    } else {
      restore();
    }
    hasFailed = !isLowered;
    return isLowered;
  }

  /** Takes the offsets of a random share of the records around a spot; large ones return first. */
  private void ejectAround(int[] spot) {
    double share = MAX_SHARE * random.nextDouble();
    int first = Arrays.stream(spot).map(i -> records.first[i]).min().orElseThrow();
    int last = Arrays.stream(spot).map(i -> records.last[i]).max().orElseThrow();
    records.lifetimes.overlapping(
        first,
        last,
        i -> {
          if (isPlaced[i] && records.movable[i] && random.nextDouble() < share) {
            eject(i);
          }
        });
    int[] before = Arrays.copyOf(unplaced, unplacedCount);
    int[] byBytes = IndexOrder.ascending(unplacedCount, k -> records.bytes[before[k]]);
    for (int k = 0; k < unplacedCount; k++) {
      unplaced[k] = before[byBytes[k]];
    }
  }

  /** Returns all records that lost their offsets in the spot to these offsets. */
  private void restore() {
    while (movedCount > 0) {
      movedCount--;
      offsets[moved[movedCount]] = lostOffsets[movedCount];
      isPlaced[moved[movedCount]] = true;
    }
    unplacedCount = 0;
  }

  /** Takes the offset of a record. */
  private void eject(int record) {
    if (movedCount == moved.length) {
      moved = Arrays.copyOf(moved, 2 * movedCount);
      lostOffsets = Arrays.copyOf(lostOffsets, 2 * movedCount);
    }
    moved[movedCount] = record;
    lostOffsets[movedCount++] = offsets[record];
    addUnplaced(record);
  }

  private void addUnplaced(int record) {
    isPlaced[record] = false;
    if (unplacedCount == unplaced.length) {
      unplaced = Arrays.copyOf(unplaced, 2 * unplacedCount);
    }
    unplaced[unplacedCount++] = record;
  }

  /** {@return one of the last records without an offset; always the last one leads to cycles} */
  private int removeUnplaced() {
    int k = unplacedCount - 1 - random.nextInt(Math.min(unplacedCount, CHOICES));
    int record = unplaced[k];
    unplaced[k] = unplaced[--unplacedCount];
    return record;
  }

  /** Places a record, and takes the offsets from the records that it overlaps. */
  private void insert(int record) {
    conflictCount = 0;
    records.lifetimes.overlapping(
        records.first[record], records.last[record], this::addConflictIfPlaced);
    long offset = lightestOffset(record);
    if (offset < 0) {
      addUnplaced(record); // pinned records leave no room; the attempt fails
      return;
    }
    boolean isFree = true;
    for (int k = 0; k < conflictCount; k++) {
      int other = conflicts[k];
      if (offsets[other] < offset + records.bytes[record]
          && offset < offsets[other] + records.bytes[other]) {
        eject(other);
        isFree = false;
      }
    }
    offsets[record] = offset;
    isPlaced[record] = true;
    if (!isFree) {
      weights[record] *= 1 + random.nextDouble();
    }
  }

  private void addConflictIfPlaced(int other) {
    if (isPlaced[other] && offsets[other] < capacity) {
      if (conflictCount == conflicts.length) {
        conflicts = Arrays.copyOf(conflicts, 2 * conflictCount);
      }
      conflicts[conflictCount++] = other;
    }
  }

  /**
   * {@return the offset with the least weight of overlapped conflicts: the lowest free one, or a
   * random one of equal weight; -1 if all offsets overlap pinned records}
   */
  private long lightestOffset(int record) {
    long size = records.bytes[record];
    long alignment = records.problem.alignmentOf(records.problem.records().get(record));
    int[] byStart = IndexOrder.ascending(conflictCount, k -> offsets[conflicts[k]]);
    int[] byEnd = IndexOrder.ascending(conflictCount, k -> end(conflicts[k]));
    long lightest = -1;
    double least = Double.POSITIVE_INFINITY;
    int ties = 0;
    int started = 0;
    int ended = 0;
    int pinned = 0;
    double weight = 0;
    // The overlapped weight falls only where a conflict ends.
    for (int k = -1; k < conflictCount; k++) {
      long offset = k < 0 ? 0 : Alignment.up(end(conflicts[byEnd[k]]), alignment);
      if (offset > capacity - size) {
        break;
      }
      for (; started < conflictCount && startsBelow(byStart[started], offset + size); started++) {
        double added = weights[conflicts[byStart[started]]];
        pinned += added == Double.POSITIVE_INFINITY ? 1 : 0;
        weight += added == Double.POSITIVE_INFINITY ? 0 : added;
      }
      for (; ended < conflictCount && end(conflicts[byEnd[ended]]) <= offset; ended++) {
        double removed = weights[conflicts[byEnd[ended]]];
        pinned -= removed == Double.POSITIVE_INFINITY ? 1 : 0;
        weight -= removed == Double.POSITIVE_INFINITY ? 0 : removed;
      }
      if (started == ended) {
        return offset;
      }
      if (pinned == 0 && weight <= least) {
        ties = weight < least ? 0 : ties + 1;
        if (ties == 0 || random.nextInt(ties + 1) == 0) {
          lightest = offset;
        }
        least = weight;
      }
    }
    return lightest;
  }

  private boolean startsBelow(int conflict, long offset) {
    return offsets[conflicts[conflict]] < offset;
  }

  private long end(int record) {
    return offsets[record] + records.bytes[record];
  }

  /**
   * Checks W1.
   *
   * @throws AssertionError if it does not hold
   */
  void checkInvariants() {
    boolean[] isListed = new boolean[records.count()];
    for (int k = 0; k < unplacedCount; k++) {
      if (isListed[unplaced[k]] || isPlaced[unplaced[k]]) {
        throw new AssertionError("W1 record " + unplaced[k]);
      }
      isListed[unplaced[k]] = true;
    }
  }
}
