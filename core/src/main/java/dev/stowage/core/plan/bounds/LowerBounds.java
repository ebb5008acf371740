package dev.stowage.core.plan.bounds;

import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.conflict.ConflictForm;
import dev.stowage.core.plan.time.PositionalMaximums;
import dev.stowage.core.plan.time.TaskLoad;

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
      ConflictForm.Bounds bounds = ConflictForm.of(problem).bounds();
      return new LowerBounds(bounds.offsetsBytes(), bounds.objectsBytes());
    }
    return new LowerBounds(TaskLoad.bytes(problem), PositionalMaximums.sum(problem));
  }
}
