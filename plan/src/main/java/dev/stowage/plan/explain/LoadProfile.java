package dev.stowage.plan.explain;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.time.LiveRange;
import dev.stowage.plan.time.TaskLoad;
import dev.stowage.plan.time.TaskRanks;
import java.util.Arrays;
import java.util.stream.LongStream;

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
   * <p>Costs O(n log n). The largest number of bytes is {@link LoadPeak#bytes}. Before the first
   * step, no byte is live.
   *
   * @param problem the records
   */
  public static LoadProfile of(PlanProblem problem) {
    PlanProblem needed = problem.withoutUnusedGaps();
    TaskRanks ranks =
        TaskRanks.ofStarts(
            needed.records().stream()
                .flatMap(record -> LiveRange.of(record).stream())
                .flatMapToLong(LoadProfile::changes));
    long[] loads = TaskLoad.byRank(needed, ranks);
    long[] tasks = new long[loads.length];
    long[] bytes = new long[loads.length];
    int count = 0;
    long before = 0;
    for (int rank = 0; rank < loads.length; rank++) {
      if (loads[rank] != before) {
        before = loads[rank];
        tasks[count] = ranks.start(rank);
        bytes[count] = before;
        count++;
      }
    }
    return new LoadProfile(Arrays.copyOf(tasks, count), Arrays.copyOf(bytes, count));
  }

  /** {@return the tasks where a range changes the load} */
  private static LongStream changes(LiveRange range) {
    return range.lastTask() == Long.MAX_VALUE
        ? LongStream.of(range.firstTask())
        : LongStream.of(range.firstTask(), range.lastTask() + 1);
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
