package dev.stowage.plan.greedy;

import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import java.util.Arrays;

/**
 * The unassigned records of one position, each with its best object; see {@link
 * SizeDistanceObjects}.
 *
 * <p>Records are numbered by descending size, and by ascending index if sizes are equal.
 */
final class SimilarRecords {

  /*
   * A placed record is in a gap of its object, between two other records of it. It can change the
   * best objects of these records:
   *
   *   - records that conflict with the placed record, and have the object as their best: they
   *     search another object;
   *   - records that lie in the gap before the placed record, and are nearer to it than to their
   *     best object: lastTask + bestDistance > firstTask of the placed record;
   *   - records that lie in the gap after it: bestDistance - firstTask > -lastTask of the placed
   *     record.
   */

  static final int NONE = -1;

  private final int count;
  private final long[] firstTasks;
  private final long[] lastTasks;

  private final long[] bestDistances;
  private final int[] bestObjects;

  /** The unassigned records with the same best object, in a list for each object. */
  private final ListHeads heads;

  private final int[] next;
  private final int[] previous;

  private final int[] byFirst;
  private final int[] byLast;
  private final int[] placeByFirst;
  private final int[] placeByLast;
  private final ThresholdTree before;
  private final ThresholdTree after;
  private final NearestTournament nearest;

  private final FreeObjects objects;
  private final StepCounter steps;

  /** The records that a step changes. */
  private int[] changed = new int[16];

  private int changedCount;

  /**
   * Finds the best object of each record.
   *
   * @param heads empty lists, which are empty again when all records are removed
   * @param steps counts the visited records and objects
   */
  SimilarRecords(
      long[] firstTasks,
      long[] lastTasks,
      FreeObjects objects,
      ListHeads heads,
      StepCounter steps) {
    this.firstTasks = firstTasks;
    this.lastTasks = lastTasks;
    this.objects = objects;
    this.heads = heads;
    this.steps = steps;
    count = firstTasks.length;
    bestDistances = new long[count];
    bestObjects = new int[count];
    Arrays.fill(bestObjects, NONE);
    next = new int[count];
    previous = new int[count];
    byFirst = IndexOrder.ascending(count, i -> firstTasks[i]);
    byLast = IndexOrder.ascending(count, i -> lastTasks[i]);
    placeByFirst = inverse(byFirst);
    placeByLast = inverse(byLast);
    before = new ThresholdTree(count);
    after = new ThresholdTree(count);
    for (int i = 0; i < count; i++) {
      steps.check(1_024);
      link(i, objects.firstNearest(firstTasks[i], lastTasks[i]));
    }
    nearest = new NearestTournament(bestDistances);
  }

  private static int[] inverse(int[] order) {
    int[] inverse = new int[order.length];
    for (int k = 0; k < order.length; k++) {
      inverse[order[k]] = k;
    }
    return inverse;
  }

  /** Removes the record with the least distance to its best object, and {@return the record} */
  int remove() {
    int record = nearest.remove();
    unlink(record);
    before.set(placeByLast[record], ThresholdTree.NONE);
    after.set(placeByFirst[record], ThresholdTree.NONE);
    return record;
  }

  /** {@return the best object of a record; {@link #NONE} if it needs a new one} */
  int bestObject(int record) {
    return bestObjects[record];
  }

  /** Updates the best objects of the others before {@code placed} joins {@code object}. */
  void update(int placed, int object) {
    searchOthers(placed, object);
    long first = firstTasks[placed];
    long last = lastTasks[placed];
    long gapFirst = objects.lifetimes(object).freeFrom(first);
    long gapLast = objects.lifetimes(object).freeUntil(last);
    changedCount = 0;
    before.forEachAbove(
        firstAfter(byLast, lastTasks, gapFirst - 1),
        firstAfter(byLast, lastTasks, first - 1),
        first,
        place -> addChanged(byLast[place]));
    after.forEachAbove(
        firstAfter(byFirst, firstTasks, last),
        firstAfter(byFirst, firstTasks, gapLast),
        -last,
        place -> addChanged(byFirst[place]));
    steps.check(64 + 64L * changedCount);
    for (int k = 0; k < changedCount; k++) {
      int i = changed[k];
      long distance = lastTasks[i] < first ? first - lastTasks[i] : firstTasks[i] - last;
      // At an equal distance, the object found first stays.
      if (firstTasks[i] >= gapFirst && lastTasks[i] <= gapLast && distance < bestDistances[i]) {
        change(i, new FreeObjects.Nearest(object, distance));
      }
    }
  }

  /** Finds other objects for the records that conflict with {@code placed}. */
  private void searchOthers(int placed, int object) {
    changedCount = 0;
    for (int i = heads.get(object); i != NONE; i = next[i]) {
      steps.check(4);
      if (firstTasks[i] <= lastTasks[placed] && firstTasks[placed] <= lastTasks[i]) {
        addChanged(i);
      }
    }
    for (int k = 0; k < changedCount; k++) {
      steps.check(512);
      change(changed[k], objects.nearest(firstTasks[changed[k]], lastTasks[changed[k]], object));
    }
  }

  /** {@return the first place in an order of tasks with a task after {@code task}} */
  private static int firstAfter(int[] order, long[] tasks, long task) {
    int low = 0;
    int high = order.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (tasks[order[middle]] <= task) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void addChanged(int record) {
    if (changedCount == changed.length) {
      changed = Arrays.copyOf(changed, 2 * changedCount);
    }
    changed[changedCount++] = record;
  }

  private void change(int record, FreeObjects.Nearest best) {
    unlink(record);
    link(record, best);
    nearest.update(record);
  }

  private void link(int record, FreeObjects.Nearest best) {
    int object = best.object();
    long distance = best.distance();
    bestObjects[record] = object;
    bestDistances[record] = distance;
    if (object != NONE) {
      next[record] = heads.get(object);
      previous[record] = NONE;
      if (next[record] != NONE) {
        previous[next[record]] = record;
      }
      heads.set(object, record);
    }
    long reach = lastTasks[record] + distance;
    before.set(placeByLast[record], reach < 0 ? Long.MAX_VALUE : reach);
    after.set(placeByFirst[record], distance - firstTasks[record]);
  }

  /** Removes a record from the list of its best object, if it has one. */
  private void unlink(int record) {
    if (bestObjects[record] == NONE) {
      return;
    }
    if (previous[record] == NONE) {
      heads.set(bestObjects[record], next[record]);
    } else {
      next[previous[record]] = next[record];
    }
    if (next[record] != NONE) {
      previous[next[record]] = previous[record];
    }
  }
}
