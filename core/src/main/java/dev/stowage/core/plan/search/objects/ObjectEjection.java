package dev.stowage.core.plan.search.objects;

import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.base.StepCounter;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * Makes a plan of shared objects smaller, round by round: one object shrinks, and the records that
 * it no longer holds look for room, at the cost of others.
 *
 * <p>Guided ejection, as Nagata and Bräysy (2009) use it to save vehicles. What is drawn comes from
 * a seed.
 */
public final class ObjectEjection {

  /*
   * A round draws new sizes: one object gets smaller, and in every second round another one larger.
   * Together they may take more than before now and then, but no more than a part of the way from
   * the lower bound to the smallest plan above that. What no longer fits is homeless. The homeless
   * record that came last goes to an object that is large enough and free, else to the one where
   * those in the way weigh least, and these are homeless instead. A record weighs what it has been
   * hard to place, in all rounds so far: hard ones come to stay, and easy ones move around them.
   * After each ejection some records move to where there is room, so that nothing goes in circles.
   *
   * A round that ends with homeless records is taken back. A step costs O(k log n) for k objects.
   */

  private static final int MAX_DRAWS = 50;
  private static final int WORSE_ROUND_INTERVAL = 4;
  private static final int WORSE_PART = 4;

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
   * Starts from a plan.
   *
   * @param records all records that take bytes
   * @param maximums their positional maximums
   * @param objectIds a valid plan of them
   * @param seed what is drawn follows from it; not negative
   */
  public ObjectEjection(ObjectRecords records, long[] maximums, int[] objectIds, long seed) {
    this.records = records;
    this.maximums = maximums;
    boundBytes = Arrays.stream(maximums).sum();
    sizes = Arrays.stream(records.bytes()).sorted().distinct().toArray();
    random = new SplittableRandom(seed);
    perturbations = 3 + 3 * (int) (seed % 3); // none is best for all problems
    int objectCount = Arrays.stream(objectIds).max().orElse(-1) + 2; // one may be new
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

  /** {@return the records by how hard they were to place, the hardest first} */
  public int[] hardestFirst() {
    return IndexOrder.descending(penalties.length, i -> penalties[i]);
  }

  /** {@return how many records were placed, and rounds begun} */
  public long stepCount() {
    return stepCount;
  }

  /**
   * Tries one round.
   *
   * @param stepLimit how many records to place in it at most
   * @param stop asked now and then; the round is given up when it says so
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

  private long fitCapacities() {
    Arrays.setAll(capacities, members::bytes);
    return Arrays.stream(capacities).sum();
  }

  /** {@return whether capacities could be drawn that no positional maximum forbids} */
  private boolean drawCapacities(StepCounter steps) {
    for (int draw = 0; draw < MAX_DRAWS && !steps.isStopped(64L * capacities.length); draw++) {
      if (drawSmaller(random.nextInt(capacities.length)) && coverMaximums()) {
        return true;
      }
      System.arraycopy(capacitiesBefore, 0, capacities, 0, capacities.length);
    }
    return false;
  }

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
    long allowed = bestBytes - bytes + (bestBytes - boundBytes) / WORSE_PART;
    return added < saved || (added - saved <= allowed && random.nextInt(WORSE_ROUND_INTERVAL) == 0);
  }

  private int sizeIndex(long size) {
    return Arrays.binarySearch(sizes, size);
  }

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

  /** {@return the large enough object where those in the way weigh least; a tie is drawn} */
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

  /** Moves random records to random objects, where there is room. */
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
