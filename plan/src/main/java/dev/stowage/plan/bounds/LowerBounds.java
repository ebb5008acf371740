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
 *     of the k-th largest size. Gaps are ignored, since a record occupies its object throughout
 */
public record LowerBounds(long offsetsBytes, long objectsBytes) {

  /**
   * {@return the bounds of a problem}
   *
   * <p>Costs O(n log n) for a problem without a graph. Bytes that several pinned records share
   * count once. With a graph, gaps are ignored, and sets of records that must not share memory are
   * treated like the records of a task. For up to 5,000 records, these sets usually cover all such
   * pairs.
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
