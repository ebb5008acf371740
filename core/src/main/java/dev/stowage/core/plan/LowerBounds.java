package dev.stowage.core.plan;

import java.util.Arrays;
import java.util.List;

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
   * <p>Costs O(n log n). Pinned records that lie on each other can be placed in less.
   *
   * @param problem the records
   */
  public static LowerBounds of(PlanProblem problem) {
    long objectsBytes = Arrays.stream(PositionalMaximums.of(problem)).sum();
    return new LowerBounds(load(problem), objectsBytes);
  }

  private static long load(PlanProblem problem) {
    List<LiveRange> ranges =
        problem.records().stream().flatMap(record -> record.liveRanges().stream()).toList();
    TaskRanks ranks = TaskRanks.ofStarts(ranges.stream().mapToLong(LiveRange::firstTask));
    long[] change = new long[ranks.count() + 1];
    for (LiveRange range : ranges) {
      change[ranks.ofFirst(range.firstTask())] += range.bytes();
      change[ranks.ofLast(range.lastTask()) + 1] -= range.bytes();
    }
    long live = 0;
    long load = 0;
    for (long bytes : change) {
      live += bytes;
      load = Math.max(load, live);
    }
    return load;
  }
}
