package dev.stowage.plan.incremental;

import java.util.Arrays;

/** A list of ranks for each task; each rank is in one list. */
final class TaskLists {

  /*
   * Doubly linked lists in arrays. Adding and removing cost O(1).
   */

  private static final int NONE = -1;

  private final int[] heads;
  private final int[] next;
  private final int[] previous;

  /** Creates lists with rank r in the list of task {@code tasks[r]}. */
  TaskLists(int[] tasks, int taskCount) {
    heads = new int[taskCount];
    Arrays.fill(heads, NONE);
    next = new int[tasks.length];
    previous = new int[tasks.length];
    for (int rank = 0; rank < tasks.length; rank++) {
      add(rank, tasks[rank]);
    }
  }

  /** {@return the first rank of a task's list; negative if the list is empty} */
  int first(int task) {
    return heads[task];
  }

  /** {@return the rank after another one; negative at the end of the list} */
  int next(int rank) {
    return next[rank];
  }

  /** Moves a rank from the list of one task to the list of another. */
  void move(int rank, int from, int to) {
    if (from != to) {
      remove(rank, from);
      add(rank, to);
    }
  }

  private void add(int rank, int task) {
    int head = heads[task];
    next[rank] = head;
    previous[rank] = NONE;
    if (head != NONE) {
      previous[head] = rank;
    }
    heads[task] = rank;
  }

  private void remove(int rank, int task) {
    if (previous[rank] == NONE) {
      heads[task] = next[rank];
    } else {
      next[previous[rank]] = next[rank];
    }
    if (next[rank] != NONE) {
      previous[next[rank]] = previous[rank];
    }
  }
}
