package dev.stowage.plan.explain;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.bounds.LowerBounds;
import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The most bytes that are live at a task, and all tasks with as many live bytes.
 *
 * @param bytes the live bytes: {@link LowerBounds#offsetsBytes} of a problem without a graph
 * @param tasks the tasks, ascending, in ranges that do not touch; empty if no byte is ever live
 */
public record LoadPeak(long bytes, List<TaskRange> tasks) {

  /**
   * A range of tasks.
   *
   * @param firstTask the first task
   * @param lastTask the last task, inclusive
   */
  public record TaskRange(long firstTask, long lastTask) {}

  /** Creates a peak. */
  public LoadPeak {
    tasks = List.copyOf(tasks);
  }

  /**
   * {@return the peak of a problem}
   *
   * <p>Costs O(n log n). Shared bytes of pinned records count once, and so do the bytes of a record
   * that is in place of another. With a graph, each record is live during its whole lifetime.
   *
   * @param problem the records
   */
  public static LoadPeak of(PlanProblem problem) {
    LoadProfile steps = LoadProfile.of(problem);
    long most = 0;
    List<TaskRange> tasks = new ArrayList<>();
    for (int step = 0; step < steps.stepCount(); step++) {
      if (steps.bytes(step) > most) {
        most = steps.bytes(step);
        tasks.clear();
      }
      if (steps.bytes(step) == most) {
        boolean isLast = step + 1 == steps.stepCount();
        tasks.add(
            new TaskRange(
                steps.firstTask(step), isLast ? Long.MAX_VALUE : steps.firstTask(step + 1) - 1));
      }
    }
    return new LoadPeak(most, tasks);
  }

  /**
   * {@return true if a record needs bytes at a task of the peak}
   *
   * @param record the record
   */
  public boolean isLive(TensorUsageRecord record) {
    return LiveRange.of(record).stream()
        .anyMatch(live ->
            tasks.stream()
                .anyMatch(
                    at -> at.firstTask() <= live.lastTask() && live.firstTask() <= at.lastTask()));
  }
}
