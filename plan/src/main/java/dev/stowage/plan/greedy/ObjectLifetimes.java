package dev.stowage.plan.greedy;

import java.util.Arrays;

/** The lifetimes of the records of one shared object, ascending and disjoint. */
final class ObjectLifetimes {

  /** The distance of a lifetime that conflicts with another one, or is the only one. */
  static final long NONE = Long.MAX_VALUE;

  private long[] firstTasks = new long[4];
  private long[] lastTasks = new long[4];
  private int count;

  void add(long firstTask, long lastTask) {
    int position = firstEndingAtOrAfter(firstTask);
    if (count == firstTasks.length) {
      firstTasks = Arrays.copyOf(firstTasks, 2 * count);
      lastTasks = Arrays.copyOf(lastTasks, 2 * count);
    }
    System.arraycopy(firstTasks, position, firstTasks, position + 1, count - position);
    System.arraycopy(lastTasks, position, lastTasks, position + 1, count - position);
    firstTasks[position] = firstTask;
    lastTasks[position] = lastTask;
    count++;
  }

  /** {@return true if a lifetime shares a task with one of these} */
  boolean conflicts(long firstTask, long lastTask) {
    int next = firstEndingAtOrAfter(firstTask);
    return next < count && firstTasks[next] <= lastTask;
  }

  /** {@return the number of tasks to the nearest lifetime, or {@link #NONE}} */
  long distance(long firstTask, long lastTask) {
    int next = firstEndingAtOrAfter(firstTask);
    if (next < count && firstTasks[next] <= lastTask) {
      return NONE;
    }
    long after = next < count ? firstTasks[next] - lastTask : NONE;
    long before = next > 0 ? firstTask - lastTasks[next - 1] : NONE;
    return Math.min(before, after);
  }

  private int firstEndingAtOrAfter(long task) {
    int found = Arrays.binarySearch(lastTasks, 0, count, task);
    return found >= 0 ? found : -found - 1;
  }
}
