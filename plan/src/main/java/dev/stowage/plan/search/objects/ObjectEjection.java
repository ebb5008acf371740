package dev.stowage.plan.search.objects;

import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * A local search that makes a plan of shared objects smaller.
 *
 * <p>In each round, one object shrinks. The records that no longer fit move to other objects and
 * eject records there. This is the guided ejection of Nagata and Bräysy, "A Powerful Route
 * Minimization Heuristic for the Vehicle Routing Problem with Time Windows" (2009), with objects in
 * place of vehicles. All random choices follow from a seed.
 */
public final class ObjectEjection {

  /*
   * A round draws new capacities: one object shrinks and, in every second round on average, another
   * one grows. Sometimes their sum may grow, up to the smallest plan so far plus a part of its
   * distance from the lower bound. Records that no longer fit are unplaced.
   *
   * The record that was ejected last goes to a large enough object without a conflicting record. If
   * there is none, it goes to the object with the smallest sum of penalties of conflicting records,
   * and ejects these records. The penalty of a record grows each time that it ejects others. So
   * records that are hard to place stay, and others move around them. After each ejection, some
   * random records move to objects with room, which prevents cycles.
   *
   * A round that ends with unplaced records is rolled back. A step costs O(k log n) for k objects.
   */

  /** The largest number of attempts to draw capacities. */
  private static final int MAX_DRAWS = 50;

  /** A draw that grows the sum is accepted with a probability of 1 in this number. */
  private static final int WORSE_DRAW_ODDS = 4;

  /** The most growth of the sum: the distance from the lower bound, divided by this number. */
  private static final int WORSE_BYTES_DIVISOR = 4;

  private final ObjectRecords records;
  private final long[] maximums;
  private final long boundBytes;
  private final long[] sizes;
  private final SplittableRandom random;
  private final int perturbations;

  private final ObjectMembers members;
  private final long[] capacities;
  private final long[] capacitiesBefore;
  private final int[] penalties;
  private final int[] unplaced;
  private int unplacedCount;

  private long bytes;
  private long bestBytes;
  private int[] bestObjectIds;
  private long stepCount;

  /**
   * Creates a search that starts from a plan.
   *
   * @param records all records that need bytes
   * @param maximums the positional maximums of the records
   * @param objectIds the object of each record in a valid plan
   * @param seed the seed of all random choices; not negative
   */
  public ObjectEjection(ObjectRecords records, long[] maximums, int[] objectIds, long seed) {
    this.records = records;
    this.maximums = maximums;
    boundBytes = Arrays.stream(maximums).sum();
    sizes = Arrays.stream(records.bytes()).sorted().distinct().toArray();
    random = new SplittableRandom(seed);
    perturbations = 3 + 3 * (int) (seed % 3); // no value is best for all problems
    int objectCount = Arrays.stream(objectIds).max().orElse(-1) + 2; // with one empty object
    members = new ObjectMembers(records, objectIds, objectCount);
    capacities = new long[objectCount];
    capacitiesBefore = new long[objectCount];
    penalties = new int[records.count()];
    Arrays.fill(penalties, 1);
    unplaced = new int[records.count()];
    bytes = fitCapacities();
    bestBytes = bytes;
    bestObjectIds = objectIds.clone();
  }

  /** {@return the size of the smallest plan} */
  public long bestBytes() {
    return bestBytes;
  }

  /** {@return the object of each record in the smallest plan} */
  public int[] bestObjectIds() {
    return bestObjectIds.clone();
  }

  /** {@return the number of records placed plus the number of rounds begun} */
  public long stepCount() {
    return stepCount;
  }

  /**
   * Runs one round.
   *
   * @param stepLimit the largest number of records to place
   * @param stop true to give up the round; called from time to time
   */
  public void tryRound(long stepLimit, BooleanSupplier stop) {
    stepCount++;
    System.arraycopy(capacities, 0, capacitiesBefore, 0, capacities.length);
    StepCounter steps = new StepCounter(stop);
    if (!drawCapacities(steps)) {
      return;
    }
    ejectOversized();
    if (!placeUnplaced(stepLimit, steps)) {
      unplacedCount = 0;
      members.rollBack();
      System.arraycopy(capacitiesBefore, 0, capacities, 0, capacities.length);
      return;
    }
    members.commit();
    bytes = fitCapacities();
    if (bytes < bestBytes) {
      bestBytes = bytes;
      bestObjectIds = members.objectIds();
    }
  }

  /** Shrinks each capacity to the largest member and {@return the sum} */
  private long fitCapacities() {
    Arrays.setAll(capacities, members::bytes);
    return Arrays.stream(capacities).sum();
  }

  /** Draws capacities that cover the positional maximums and {@return true if there are any} */
  private boolean drawCapacities(StepCounter steps) {
    for (int draw = 0; draw < MAX_DRAWS && !steps.isStopped(64L * capacities.length); draw++) {
      if (drawSmaller(random.nextInt(capacities.length)) && coverMaximums()) {
        return true;
      }
      System.arraycopy(capacitiesBefore, 0, capacities, 0, capacities.length);
    }
    return false;
  }

  /** Shrinks an object, may grow another one, and {@return true if the draw is acceptable} */
  private boolean drawSmaller(int object) {
    if (capacities[object] == 0) {
      return false;
    }
    int down = random.nextInt(3) == 0 ? 1 + random.nextInt(sizes.length) : 1;
    int smaller = sizeIndex(capacities[object]) - down;
    long saved = capacities[object] - (smaller >= 0 ? sizes[smaller] : 0);
    capacities[object] -= saved;
    if (random.nextInt(2) == 0) {
      return saved <= bytes - boundBytes;
    }
    int other = random.nextInt(capacities.length);
    int up = random.nextInt(3) == 0 ? 1 + random.nextInt(sizes.length) : 1;
    int larger =
        Math.min(
            sizes.length - 1, (capacities[other] == 0 ? -1 : sizeIndex(capacities[other])) + up);
    long added = sizes[larger] - capacities[other];
    if (other == object || added == 0 || saved - added > bytes - boundBytes) {
      return false;
    }
    capacities[other] += added;
    long allowed = bestBytes - bytes + (bestBytes - boundBytes) / WORSE_BYTES_DIVISOR;
    return added < saved || (added - saved <= allowed && random.nextInt(WORSE_DRAW_ODDS) == 0);
  }

  private int sizeIndex(long size) {
    return Arrays.binarySearch(sizes, size);
  }

  /**
   * {@return true if the k-th largest capacity is at least the k-th positional maximum, for all k}
   */
  private boolean coverMaximums() {
    long[] sorted = capacities.clone();
    Arrays.sort(sorted);
    for (int k = 0; k < maximums.length; k++) {
      if (sorted[sorted.length - 1 - k] < maximums[k]) {
        return false;
      }
    }
    return true;
  }

  private void ejectOversized() {
    for (int object = 0; object < capacities.length; object++) {
      if (capacities[object] < capacitiesBefore[object]) {
        for (int k = members.count(object) - 1; k >= 0; k--) {
          int record = members.member(object, k);
          if (records.bytes()[record] > capacities[object]) {
            eject(record);
          }
        }
      }
    }
  }

  private void eject(int record) {
    members.remove(record);
    unplaced[unplacedCount++] = record;
  }

  /** Places the unplaced records and {@return true if it placed all} */
  private boolean placeUnplaced(long stepLimit, StepCounter steps) {
    for (long step = 0; unplacedCount > 0; step++) {
      if (step >= stepLimit || steps.isStopped(256 + 32L * capacities.length)) {
        return false;
      }
      stepCount++;
      int record = unplaced[unplacedCount - 1];
      int object = objectOfLeastPenalty(record);
      if (object == ObjectMembers.NONE) {
        return false;
      }
      unplacedCount--;
      int conflicting = members.conflict(record, object);
      boolean isFree = conflicting == ObjectMembers.NONE;
      for (; conflicting != ObjectMembers.NONE; conflicting = members.conflict(record, object)) {
        eject(conflicting);
      }
      members.add(record, object);
      if (!isFree) {
        penalties[record]++;
        perturb();
      }
    }
    return true;
  }

  /**
   * {@return the large enough object with the smallest penalty of its conflicts, a random one of
   * equal ones}
   */
  private int objectOfLeastPenalty(int record) {
    int found = ObjectMembers.NONE;
    int ties = 0;
    long least = Long.MAX_VALUE;
    for (int object = 0; object < capacities.length; object++) {
      if (capacities[object] >= records.bytes()[record]) {
        long penalty = members.penaltyOfConflicts(record, object, penalties, least);
        if (penalty < least) {
          least = penalty;
          found = object;
          ties = 1;
        } else if (penalty == least && random.nextInt(++ties) == 0) {
          found = object;
        }
      }
    }
    return found;
  }

  /** Moves random records to random objects that have room for them. */
  private void perturb() {
    for (int k = 0; k < perturbations; k++) {
      int record = random.nextInt(records.count());
      int object = random.nextInt(capacities.length);
      int from = members.objectOf(record);
      if (from != ObjectMembers.NONE
          && from != object
          && capacities[object] >= records.bytes()[record]
          && members.conflict(record, object) == ObjectMembers.NONE) {
        members.remove(record);
        members.add(record, object);
      }
    }
  }
}
