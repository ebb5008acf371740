package dev.stowage.plan.bounds;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.conflict.ConflictForm;
import dev.stowage.plan.time.PositionalMaximums;
import dev.stowage.plan.time.TaskLoad;

/**
 * Lower bounds of the memory that any assignment takes.
 *
 * @param offsetsBytes the load: the maximum number of bytes live at one task, without gaps
 * @param objectsBytes the sum of the positional maximums: for every k, the maximum over all tasks
 *     of the k-th largest size. Gaps are ignored, since a record holds its object throughout its
 *     lifetime
 */
public record LowerBounds(long offsetsBytes, long objectsBytes) {

  /**
   * {@return the bounds of a problem}
   *
   * <p>Costs O(n log n) for a problem without a graph. Bytes that several pinned records share
   * count once. With a graph, gaps are ignored, and records that must not share memory count as if
   * they were live at one task. Not all such sets of records are found in larger graphs.
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
