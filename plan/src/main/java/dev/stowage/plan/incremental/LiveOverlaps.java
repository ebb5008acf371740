package dev.stowage.plan.incremental;

import dev.stowage.plan.base.BitMatrix;
import dev.stowage.plan.text.Message;

/** The lifetimes of records, by rank, and the pairs of records that are live at one task. */
final class LiveOverlaps {

  /*
   *   C2  Bit (p, q) is set if and only if p and q are different ranks with a task in common.
   *   C3  For each task, `starting` lists the ranks that start there, and `ending` the ranks
   *       that end.
   *
   * A lifetime that is extended after its end also overlaps the records that start at the added
   * tasks, and no others. A lifetime that is extended before its start also overlaps the records
   * that end at the added tasks. A change therefore costs O(t + r) if the lifetime grows and
   * shrinks by t tasks, and r records start or end at these.
   */

  private final int[] firstTasks;
  private final int[] lastTasks;
  private final TaskLists starting;
  private final TaskLists ending;
  private final BitMatrix overlaps;

  /**
   * Creates lifetimes and keeps the arrays. O(n² / 64 + t) for n records and t tasks.
   *
   * @param firstTasks the first task of each rank
   * @param lastTasks the last task of each rank
   * @param taskCount all tasks are smaller
   */
  LiveOverlaps(int[] firstTasks, int[] lastTasks, int taskCount) {
    this.firstTasks = firstTasks;
    this.lastTasks = lastTasks;
    starting = new TaskLists(firstTasks, taskCount);
    ending = new TaskLists(lastTasks, taskCount);
    overlaps = new BitMatrix(firstTasks.length);
    fill(taskCount);
  }

  /**
   * Sets, from task to task, the pairs of a record that starts and the records that are live. Then
   * sets the same pairs in the other order: one by one if they are few, or in blocks.
   */
  private void fill(int taskCount) {
    long[] live = new long[overlaps.wordCount()];
    long liveCount = 0;
    long pairs = 0;
    for (int task = 0; task < taskCount; task++) {
      for (int rank = starting.first(task); rank >= 0; rank = starting.next(rank)) {
        for (int word = 0; word < live.length; word++) {
          overlaps.setWord(rank, word, live[word]);
        }
        live[rank >>> 6] |= 1L << rank;
        pairs += liveCount++;
      }
      for (int rank = ending.first(task); rank >= 0; rank = ending.next(rank)) {
        live[rank >>> 6] &= ~(1L << rank);
        liveCount--;
      }
    }
    if (pairs <= (long) live.length * firstTasks.length) {
      mirror();
    } else {
      overlaps.makeSymmetric();
    }
  }

  private void mirror() {
    for (int rank = 0; rank < firstTasks.length; rank++) {
      for (int other : overlaps.row(rank)) {
        overlaps.set(other, rank);
      }
    }
  }

  int firstTask(int rank) {
    return firstTasks[rank];
  }

  int lastTask(int rank) {
    return lastTasks[rank];
  }

  /** {@return the number of words that have a bit for each rank} */
  int wordCount() {
    return overlaps.wordCount();
  }

  /** {@return 64 bits of the ranks that overlap a rank; see {@link BitMatrix#word}} */
  long word(int rank, int word) {
    return overlaps.word(rank, word);
  }

  /**
   * Changes the lifetime of a rank.
   *
   * @param changed gets the bit of the later rank of each pair that begins or ceases to overlap
   */
  void setLifetime(int rank, int firstTask, int lastTask, long[] changed) {
    int oldFirst = firstTasks[rank];
    int oldLast = lastTasks[rank];
    // The lifetime grows before it shrinks, so that it always has a task.
    flip(rank, starting, oldLast + 1, lastTask, changed);
    flip(rank, ending, firstTask, oldFirst - 1, changed);
    flip(rank, starting, lastTask + 1, oldLast, changed);
    flip(rank, ending, oldFirst, firstTask - 1, changed);
    starting.move(rank, oldFirst, firstTask);
    ending.move(rank, oldLast, lastTask);
    firstTasks[rank] = firstTask;
    lastTasks[rank] = lastTask;
  }

  /** Flips the pairs of a rank and the ranks in the lists of some tasks. */
  private void flip(int rank, TaskLists lists, int from, int to, long[] changed) {
    for (int task = from; task <= to; task++) {
      for (int other = lists.first(task); other >= 0; other = lists.next(other)) {
        if (other != rank) {
          overlaps.flip(rank, other);
          overlaps.flip(other, rank);
          int later = Math.max(rank, other);
          changed[later >>> 6] |= 1L << later;
        }
      }
    }
  }

  void checkInvariants() {
    for (int p = 0; p < firstTasks.length; p++) {
      for (int q = 0; q < firstTasks.length; q++) {
        boolean isCommon = firstTasks[p] <= lastTasks[q] && firstTasks[q] <= lastTasks[p];
        if (overlaps.get(p, q) != (isCommon && p != q)) {
          throw new AssertionError(Message.of("C2 ranks %d and %d", p, q));
        }
      }
      if (!isListed(starting, firstTasks[p], p) || !isListed(ending, lastTasks[p], p)) {
        throw new AssertionError("C3 rank " + p);
      }
    }
  }

  private static boolean isListed(TaskLists lists, int task, int rank) {
    int listed = lists.first(task);
    while (listed >= 0 && listed != rank) {
      listed = lists.next(listed);
    }
    return listed == rank;
  }
}
