package dev.stowage.plan.explain;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.time.LoadSteps;
import java.util.Arrays;

/** The live bytes over the tasks: a step for each change of their number. */
public final class LoadProfile {

  private final long[] tasks;
  private final long[] bytes;

  private LoadProfile(long[] tasks, long[] bytes) {
    this.tasks = tasks;
    this.bytes = bytes;
  }

  /**
   * {@return the live bytes of a problem}
   *
   * <p>Costs O(n log n). The largest number of bytes is {@link LoadPeak#bytes}, which explains the
   * bytes that count once. Before the first step, no byte is live.
   *
   * @param problem the records
   */
  public static LoadProfile of(PlanProblem problem) {
    LoadSteps steps = LoadSteps.of(problem.withoutUnusedGaps());
    long[] tasks = new long[steps.count()];
    long[] bytes = new long[steps.count()];
    int count = 0;
    long before = 0;
    for (int step = 0; step < steps.count(); step++) {
      if (steps.bytes(step) != before) {
        before = steps.bytes(step);
        tasks[count] = steps.firstTask(step);
        bytes[count] = before;
        count++;
      }
    }
    return new LoadProfile(Arrays.copyOf(tasks, count), Arrays.copyOf(bytes, count));
  }

  /** {@return the number of steps} */
  public int stepCount() {
    return tasks.length;
  }

  /**
   * {@return the first task of a step, which ends before the next step}
   *
   * @param step the index of a step
   */
  public long firstTask(int step) {
    return tasks[step];
  }

  /**
   * {@return the live bytes at each task of a step}
   *
   * @param step the index of a step
   */
  public long bytes(int step) {
    return bytes[step];
  }
}
