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

  private static final int NONE = -1;

  /*
   * Let d be the distance of the best object at the end. The last best object was once within d,
   * before it conflicted, if it did. Only such objects are listed, in the order of ids.
   */
  private final ApproachSteps approaches = new ApproachSteps();

  /** The steps of all changes, each with the index of its object in the lower half. */
  private long[] changes = new long[48];

  private int changeCount;

  /**
   * {@return the best object of a lifetime}
   *
   * @param objects at least the objects with a record within {@code distance}, by id
   * @param distance its distance
   */
  int best(
      List<ObjectLifetimes> lifetimes,
      int[] objects,
      long firstTask,
      long lastTask,
      long distance) {
    approaches.clear();
    for (int object : objects) {
      lifetimes.get(object).addTo(approaches, object, firstTask, lastTask, distance);
    }
    sortChanges();
    return approaches.object(best());
  }

  private void sortChanges() {
    changeCount = 0;
    for (int k = 0; k < approaches.count(); k++) {
      addChange(approaches.near(k), k);
      if (approaches.nearer(k) != approaches.near(k)) {
        addChange(approaches.nearer(k), k);
      }
      addChange(approaches.conflict(k), k);
    }
    Arrays.sort(changes, 0, changeCount);
  }

  private void addChange(int step, int k) {
    if (step != ApproachSteps.NEVER) {
      if (changeCount == changes.length) {
        changes = Arrays.copyOf(changes, 2 * changeCount);
      }
      changes[changeCount++] = (long) step << Integer.SIZE | k;
    }
  }

  /** Repeats the changes. A step changes one object only. */
  private int best() {
    int best = NONE;
    int nearerCount = 0;
    for (int c = 0; c < changeCount; c++) {
      int step = (int) (changes[c] >>> Integer.SIZE);
      int k = (int) changes[c];
      if (step == approaches.conflict(k)) {
        boolean wasNearer = approaches.nearer(k) != ApproachSteps.NEVER;
        nearerCount -= wasNearer ? 1 : 0;
        if (nearerCount == 0 && (wasNearer || best == k)) {
          best = lowestFree(step);
        }
      } else if (step == approaches.nearer(k)) {
        nearerCount++;
      } else if (nearerCount == 0 && best == NONE) {
        best = k;
      }
    }
    return best;
  }

  /** {@return the object with the lowest id that is near and free after a step} */
  private int lowestFree(int step) {
    for (int k = 0; k < approaches.count(); k++) {
      if (approaches.near(k) < step && approaches.conflict(k) > step) {
        return k;
      }
    }
    return NONE;
  }
}
