package dev.stowage.plan.greedy;

import java.util.Arrays;
import java.util.List;

/**
 * The best object of a record, found when it is needed instead of kept from the first step on.
 *
 * <p>The best object is the nearest one that is free. Several may be equally near. The reference
 * keeps the best object of each unassigned record up to date: a nearer object takes its place, and
 * an equally near one does not; when the best object gets a record that conflicts, the lowest id of
 * the nearest objects takes its place. This class repeats these changes for one record.
 */
final class ObjectHistory {

  /** A step after all others. */
  static final int NEVER = Integer.MAX_VALUE;

  private static final int NONE = -1;

  /*
   * Let d be the distance of the best object at the end. Only objects that are once within d before
   * they conflict, if they do, can be the best object after which no other one follows. For each of
   * these, in the order of ids: the steps at which it came within d, came nearer than d, and
   * conflicted.
   */
  private int[] objects = new int[16];
  private int[] near = new int[16];
  private int[] nearer = new int[16];
  private int[] conflict = new int[16];
  private int count;

  /** The steps of all changes, each with the index of its object in the lower half. */
  private long[] changes = new long[48];

  private int changeCount;

  private int described;

  /** {@return the best object of a lifetime} */
  int best(List<ObjectLifetimes> lifetimes, long firstTask, long lastTask, long distance) {
    count = 0;
    changeCount = 0;
    for (described = 0; described < lifetimes.size(); described++) {
      lifetimes.get(described).describe(firstTask, lastTask, distance, this);
    }
    Arrays.sort(changes, 0, changeCount);
    return best();
  }

  /** Adds the object that is being described. */
  void add(int nearStep, int nearerStep, int conflictStep) {
    if (count == objects.length) {
      objects = Arrays.copyOf(objects, 2 * count);
      near = Arrays.copyOf(near, 2 * count);
      nearer = Arrays.copyOf(nearer, 2 * count);
      conflict = Arrays.copyOf(conflict, 2 * count);
      changes = Arrays.copyOf(changes, 6 * count);
    }
    objects[count] = described;
    near[count] = nearStep;
    nearer[count] = nearerStep;
    conflict[count] = conflictStep;
    addChange(nearStep);
    if (nearerStep != nearStep) {
      addChange(nearerStep);
    }
    addChange(conflictStep);
    count++;
  }

  private void addChange(int step) {
    if (step != NEVER) {
      changes[changeCount++] = (long) step << Integer.SIZE | count;
    }
  }

  /** Repeats the changes. A step changes one object only. */
  private int best() {
    int best = NONE;
    int nearerCount = 0;
    for (int k = 0; k < changeCount; k++) {
      int step = (int) (changes[k] >>> Integer.SIZE);
      int changed = (int) changes[k];
      if (step == conflict[changed]) {
        boolean wasNearer = nearer[changed] != NEVER;
        nearerCount -= wasNearer ? 1 : 0;
        if (nearerCount == 0 && (wasNearer || best == changed)) {
          best = lowestFree(step);
        }
      } else if (step == nearer[changed]) {
        nearerCount++;
      } else if (nearerCount == 0 && best == NONE) {
        best = changed;
      }
    }
    return objects[best];
  }

  /** {@return the object with the lowest id that is near and free after a step} */
  private int lowestFree(int step) {
    for (int k = 0; k < count; k++) {
      if (near[k] < step && conflict[k] > step) {
        return k;
      }
    }
    return NONE;
  }
}
