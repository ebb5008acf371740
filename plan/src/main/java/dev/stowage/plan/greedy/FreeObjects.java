package dev.stowage.plan.greedy;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.time.TaskRanks;
import java.util.ArrayList;
import java.util.List;

/** Shared objects with their records, searched for the nearest one that is free in a lifetime. */
final class FreeObjects {

  private static final int NONE = -1;

  /**
   * The result of a search.
   *
   * @param object the object, or -1 if none is free
   * @param distance the number of tasks between its nearest record and the lifetime; {@link
   *     ObjectLifetimes#NONE} if none is free
   */
  record Nearest(int object, long distance) {}

  private final List<ObjectLifetimes> lifetimes = new ArrayList<>();
  private final ObjectHistory history = new ObjectHistory();
  private final TaskRanks ranks;
  private final LiveCounts live;
  private int stepCount;

  /** Creates a search over no objects, for lifetimes of a problem. */
  FreeObjects(PlanProblem problem) {
    ranks = TaskRanks.of(problem);
    live = new LiveCounts(ranks.count());
  }

  /** Adds an object without records and {@return its id} */
  int add() {
    lifetimes.add(new ObjectLifetimes());
    return lifetimes.size() - 1;
  }

  int count() {
    return lifetimes.size();
  }

  ObjectLifetimes lifetimes(int object) {
    return lifetimes.get(object);
  }

  /** Adds a record to an object. */
  void assign(int object, long firstTask, long lastTask) {
    lifetimes.get(object).add(firstTask, lastTask, stepCount++);
    live.add(ranks.ofFirst(firstTask), ranks.ofLast(lastTask));
  }

  /**
   * {@return the nearest object, the lowest id of equally near ones}
   *
   * @param excluded an object that does not count
   */
  Nearest nearest(long firstTask, long lastTask, int excluded) {
    int best = NONE;
    long distance = ObjectLifetimes.NONE;
    if (live.max(ranks.ofFirst(firstTask), ranks.ofLast(lastTask)) == lifetimes.size()) {
      return new Nearest(NONE, distance); // one record of each object is live at some task
    }
    for (int object = 0; object < lifetimes.size(); object++) {
      long found = lifetimes.get(object).distance(firstTask, lastTask);
      if (found < distance && object != excluded) {
        distance = found;
        best = object;
      }
    }
    return new Nearest(best, distance);
  }

  /** {@return the nearest object, by {@link ObjectHistory} of equally near ones} */
  Nearest firstNearest(long firstTask, long lastTask) {
    Nearest lowest = nearest(firstTask, lastTask, NONE);
    return lowest.object() == NONE
        ? lowest
        : new Nearest(
            history.best(lifetimes, firstTask, lastTask, lowest.distance()), lowest.distance());
  }
}
