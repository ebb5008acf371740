package dev.stowage.plan.time;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;
import java.util.Optional;

/**
 * The live bytes at a task.
 *
 * @param task the task
 * @param bytes the number of live bytes; shared bytes of pinned records count once, and so do bytes
 *     that a record in place of another can take over
 */
public record TaskLoad(long task, long bytes) {

  /** {@return the load of a problem: the maximum number of bytes live at one task; O(n log n)} */
  public static long bytes(PlanProblem problem) {
    return heaviest(problem).map(TaskLoad::bytes).orElse(0L);
  }

  /**
   * {@return a lower bound of the arena: the load, or the lowest possible end of a record if
   * larger}
   *
   * <p>Records that need no byte at any task also have to end within the arena.
   */
  public static long minArenaBytes(PlanProblem problem) {
    long bytes = bytes(problem);
    for (TensorUsageRecord record : problem.records()) {
      bytes = Math.max(bytes, record.pinnedOffset().orElse(0) + record.bytes());
    }
    return bytes;
  }

  /** {@return the first task with the most live bytes; empty if no byte is live} */
  public static Optional<TaskLoad> heaviest(PlanProblem problem) {
    TaskRanks ranks = TaskRanks.ofLiveRanges(problem);
    long[] bytes = byRank(problem, ranks);
    Optional<TaskLoad> heaviest = Optional.empty();
    for (int rank = 0; rank < ranks.count(); rank++) {
      if (bytes[rank] > heaviest.map(TaskLoad::bytes).orElse(0L)) {
        heaviest = Optional.of(new TaskLoad(ranks.start(rank), bytes[rank]));
      }
    }
    return heaviest;
  }

  /** {@return the live bytes at the task of each rank; each live range starts at one} */
  public static long[] byRank(PlanProblem problem, TaskRanks ranks) {
    List<TensorUsageRecord> records = problem.records();
    long[] change = new long[ranks.count() + 1];
    for (TensorUsageRecord record : records) {
      if (record.pinnedOffset().isEmpty()) {
        for (LiveRange range : LiveRange.of(record)) {
          change[ranks.ofFirst(range.firstTask())] += range.bytes();
          change[ranks.ofLast(range.lastTask()) + 1] -= range.bytes();
        }
      }
    }
    long[] pinnedBytes =
        problem.hasPins() ? PinnedLoad.of(records, ranks) : new long[ranks.count()];
    long[] savedBytes = new long[ranks.count()];
    // No pair has an effect between two starts: fewer bytes are live there than at the first one.
    InPlaceSavings.byTask(problem, problem.usableInPlace())
        .forEach((task, bytes) -> savedBytes[ranks.ofFirst(task)] = bytes);
    long[] bytes = new long[ranks.count()];
    long movableBytes = 0;
    for (int rank = 0; rank < ranks.count(); rank++) {
      movableBytes += change[rank];
      bytes[rank] = movableBytes + pinnedBytes[rank] - savedBytes[rank];
    }
    return bytes;
  }
}
