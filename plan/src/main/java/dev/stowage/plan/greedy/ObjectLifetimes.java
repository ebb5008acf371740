package dev.stowage.plan.greedy;

import java.util.Arrays;

/** The lifetimes of the records of one shared object, ascending and disjoint, with their steps. */
final class ObjectLifetimes {

  private long[] firstTasks = new long[4];
  private long[] lastTasks = new long[4];
  private int[] steps = new int[4];
  private int count;

  /** Adds a lifetime; {@code step} is higher than all steps before. */
  void add(long firstTask, long lastTask, int step) {
    int position = firstEndingAtOrAfter(firstTask);
    if (count == firstTasks.length) {
      firstTasks = Arrays.copyOf(firstTasks, 2 * count);
      lastTasks = Arrays.copyOf(lastTasks, 2 * count);
      steps = Arrays.copyOf(steps, 2 * count);
    }
    System.arraycopy(firstTasks, position, firstTasks, position + 1, count - position);
    System.arraycopy(lastTasks, position, lastTasks, position + 1, count - position);
    System.arraycopy(steps, position, steps, position + 1, count - position);
    firstTasks[position] = firstTask;
    lastTasks[position] = lastTask;
    steps[position] = step;
    count++;
  }

  /**
   * {@return the step of the last lifetime that ends before a task of no lifetime; -1 if none does}
   */
  int stepBefore(long task) {
    int next = firstEndingAtOrAfter(task);
    return next == 0 ? -1 : steps[next - 1];
  }

  /**
   * {@return the step of the first lifetime that starts after a task of no lifetime; -1 if none
   * does}
   */
  int stepAfter(long task) {
    int next = firstEndingAtOrAfter(task);
    return next == count ? -1 : steps[next];
  }

  /** {@return the first task of the gap around {@code task}, which is in no lifetime} */
  long freeFrom(long task) {
    int next = firstEndingAtOrAfter(task);
    return next == 0 ? 0 : lastTasks[next - 1] + 1;
  }

  /** {@return the last task of the gap around {@code task}, which is in no lifetime} */
  long freeUntil(long task) {
    int next = firstEndingAtOrAfter(task);
    return next == count ? Long.MAX_VALUE : firstTasks[next] - 1;
  }

  private int firstEndingAtOrAfter(long task) {
    int found = Arrays.binarySearch(lastTasks, 0, count, task);
    return found >= 0 ? found : -found - 1;
  }

  /**
   * Adds the steps of the approach of these lifetimes to a lifetime before one of them conflicted
   * with it, if they came near.
   *
   * @param distance the distance that is near; a smaller one is nearer
   */
  void addTo(ApproachSteps approaches, int object, long firstTask, long lastTask, long distance) {
    int next = firstEndingAtOrAfter(firstTask);
    int after = next;
    int conflict = ApproachSteps.NEVER;
    for (; after < count && firstTasks[after] <= lastTask; after++) {
      conflict = Math.min(conflict, steps[after]);
    }
    int near = ApproachSteps.NEVER;
    int nearer = ApproachSteps.NEVER;
    for (int k = next - 1; k >= 0 && firstTask - lastTasks[k] <= distance; k--) {
      near = Math.min(near, steps[k]);
      nearer = firstTask - lastTasks[k] < distance ? Math.min(nearer, steps[k]) : nearer;
    }
    for (int k = after; k < count && firstTasks[k] - lastTask <= distance; k++) {
      near = Math.min(near, steps[k]);
      nearer = firstTasks[k] - lastTask < distance ? Math.min(nearer, steps[k]) : nearer;
    }
    if (near < conflict) {
      approaches.add(object, near, nearer < conflict ? nearer : ApproachSteps.NEVER, conflict);
    }
  }
}
