package dev.stowage.plan.greedy;

import dev.stowage.plan.TensorUsageRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Shared objects with their records, searched for the nearest one that is free in a lifetime. */
final class FreeObjects {

  /*
   * An object is free in a lifetime if the lifetime is in a gap between two records of the object
   * that follow each other, or before or after all of them. One tree has the gap after each
   * assigned record, by last task. Of the records before the lifetime with a gap that ends after
   * it, the last one is the nearest on this side. Another tree has the gap before each record, by
   * first task.
   */

  private static final int NONE = -1;

  /** The distance if no object is free. */
  static final long FAR = Long.MAX_VALUE;

  /** Fewer objects are visited without a search for near records. */
  private static final int FEW_OBJECTS = 16;

  /**
   * The result of a search.
   *
   * @param object the object, or -1 if none is free
   * @param distance the number of tasks between its nearest record and the lifetime; {@link #FAR}
   *     if none is free
   */
  record Nearest(int object, long distance) {}

  private final List<ObjectLifetimes> lifetimes = new ArrayList<>();
  private final ObjectHistory history = new ObjectHistory();

  /** The assigned records, by step. */
  private final int[] assigned;

  private int stepCount;
  private final int[] objects;
  private final RecordEnds lasts;
  private final RecordEnds firsts;

  /** The last task of the gap after each assigned record. */
  private final ThresholdTree after;

  /** The last task before the gap before each assigned record, negative; 1 if there is none. */
  private final ThresholdTree before;

  /** Ids of objects near to a lifetime, which may repeat. */
  private int[] near = new int[64];

  private int nearCount;

  /** Creates a search over no objects, for records that will be assigned. */
  FreeObjects(List<TensorUsageRecord> records) {
    int count = records.size();
    assigned = new int[count];
    objects = new int[count];
    lasts = RecordEnds.of(count, i -> records.get(i).lastTask());
    firsts = RecordEnds.of(count, i -> records.get(i).firstTask());
    after = new ThresholdTree(count);
    before = new ThresholdTree(count);
  }

  /** Adds an object without records and {@return its id} */
  int add() {
    lifetimes.add(new ObjectLifetimes());
    return lifetimes.size() - 1;
  }

  ObjectLifetimes lifetimes(int object) {
    return lifetimes.get(object);
  }

  /** Adds a record to an object. */
  void assign(int object, int record) {
    int lastPlace = lasts.placeOf(record);
    int firstPlace = firsts.placeOf(record);
    long firstTask = firsts.task(firstPlace);
    long lastTask = lasts.task(lastPlace);
    ObjectLifetimes others = lifetimes.get(object);
    int stepBefore = others.stepBefore(firstTask);
    int stepAfter = others.stepAfter(lastTask);
    others.add(firstTask, lastTask, stepCount);
    assigned[stepCount++] = record;
    objects[record] = object;
    if (stepBefore == NONE) {
      before.set(firstPlace, 1);
    } else {
      int place = lasts.placeOf(assigned[stepBefore]);
      before.set(firstPlace, -lasts.task(place));
      after.set(place, firstTask - 1);
    }
    if (stepAfter == NONE) {
      after.set(lastPlace, Long.MAX_VALUE);
    } else {
      int place = firsts.placeOf(assigned[stepAfter]);
      after.set(lastPlace, firsts.task(place) - 1);
      before.set(place, -lastTask);
    }
  }

  /**
   * {@return the nearest object, the lowest id of equally near ones: O(log n), and as much for each
   * equally near one}
   *
   * @param excluded an object that does not count
   */
  Nearest nearest(long firstTask, long lastTask, int excluded) {
    int best = NONE;
    long distance = FAR - 1;
    int place = after.lastAbove(lasts.countUpTo(firstTask - 1), lastTask - 1);
    while (place >= 0 && firstTask - lasts.task(place) <= distance) {
      int object = objects[lasts.record(place)];
      if (object != excluded) {
        best = best == NONE ? object : Math.min(best, object);
        distance = firstTask - lasts.task(place);
      }
      place = after.lastAbove(place, lastTask - 1);
    }
    place = before.firstAbove(firsts.countUpTo(lastTask), -firstTask);
    while (place >= 0 && firsts.task(place) - lastTask <= distance) {
      int object = objects[firsts.record(place)];
      if (object != excluded) {
        boolean isNearer = best == NONE || firsts.task(place) - lastTask < distance;
        best = isNearer ? object : Math.min(best, object);
        distance = firsts.task(place) - lastTask;
      }
      place = before.firstAbove(place + 1, -firstTask);
    }
    return new Nearest(best, best == NONE ? FAR : distance);
  }

  /** {@return the nearest object, by {@link ObjectHistory} of equally near ones} */
  Nearest firstNearest(long firstTask, long lastTask) {
    Nearest lowest = nearest(firstTask, lastTask, NONE);
    if (lowest.object() == NONE) {
      return lowest;
    }
    int[] candidates = nearObjects(firstTask, lastTask, lowest.distance());
    int best = history.best(lifetimes, candidates, firstTask, lastTask, lowest.distance());
    return new Nearest(best, lowest.distance());
  }

  /** {@return at least the objects with a record within a distance of a lifetime, by id} */
  private int[] nearObjects(long firstTask, long lastTask, long distance) {
    int ended = lasts.countUpTo(firstTask - distance - 1);
    int ends = lasts.countUpTo(firstTask - 1);
    int starts = firsts.countUpTo(lastTask);
    int started =
        firsts.countUpTo(
            lastTask > Long.MAX_VALUE - distance ? Long.MAX_VALUE : lastTask + distance);
    if (lifetimes.size() <= FEW_OBJECTS || (ends - ended) + (started - starts) > lifetimes.size()) {
      int[] all = new int[lifetimes.size()];
      Arrays.setAll(all, object -> object);
      return all;
    }
    nearCount = 0;
    after.forEachAbove(
        ended, ends, ThresholdTree.NONE, place -> addNear(objects[lasts.record(place)]));
    before.forEachAbove(
        starts, started, ThresholdTree.NONE, place -> addNear(objects[firsts.record(place)]));
    return Arrays.stream(near, 0, nearCount).sorted().distinct().toArray();
  }

  private void addNear(int object) {
    if (nearCount == near.length) {
      near = Arrays.copyOf(near, 2 * nearCount);
    }
    near[nearCount++] = object;
  }
}
