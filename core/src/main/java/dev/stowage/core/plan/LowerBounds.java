package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Bytes that no assignment can do without.
 *
 * @param offsetsBytes the load: the largest sum of live bytes at any task, gaps counted out
 * @param objectsBytes the sum of the positional maximums: for every k, the largest k-th largest
 *     size of any task. Gaps are not counted out, as an object is held throughout
 */
public record LowerBounds(long offsetsBytes, long objectsBytes) {

  /**
   * {@return the bounds of a problem}
   *
   * <p>Costs O(n log n). Bytes that pinned records share, as their problem says, are counted once.
   * With a graph, sets of records that may not share memory in some order are bounds like tasks,
   * and gaps are not counted out; up to 5,000 records have such sets beyond those of the tasks.
   *
   * @param problem the records
   */
  public static LowerBounds of(PlanProblem problem) {
    if (problem.reuseGraph().isPresent()) {
      return ConflictForm.of(problem).bounds();
    }
    long objectsBytes = Arrays.stream(PositionalMaximums.of(problem)).sum();
    return new LowerBounds(load(problem), objectsBytes);
  }

  /** {@return the bound of offsets alone} */
  static long load(PlanProblem problem) {
    return heaviestTask(problem).map(Load::bytes).orElse(0L);
  }

  /**
   * Live bytes.
   *
   * @param task where they are live
   * @param bytes their sum
   */
  record Load(long task, long bytes) {}

  /** {@return the first task with the largest sum of live bytes; empty if there are none} */
  static Optional<Load> heaviestTask(PlanProblem problem) {
    List<TensorUsageRecord> records = problem.records();
    TaskRanks ranks = TaskRanks.ofLiveRanges(problem);
    long[] change = new long[ranks.count() + 1];
    for (TensorUsageRecord record : records) {
      if (record.pinnedOffset().isEmpty()) {
        for (LiveRange range : record.liveRanges()) {
          change[ranks.ofFirst(range.firstTask())] += range.bytes();
          change[ranks.ofLast(range.lastTask()) + 1] -= range.bytes();
        }
      }
    }
    long[] pinnedBytes =
        problem.hasPins() ? PinnedLoad.of(records, ranks) : new long[ranks.count()];
    long movableBytes = 0;
    Optional<Load> heaviest = Optional.empty();
    for (int rank = 0; rank < ranks.count(); rank++) {
      movableBytes += change[rank];
      long bytes = movableBytes + pinnedBytes[rank];
      if (bytes > heaviest.map(Load::bytes).orElse(0L)) {
        heaviest = Optional.of(new Load(ranks.start(rank), bytes));
      }
    }
    return heaviest;
  }
}
