package dev.stowage.plan.time;

import dev.stowage.plan.PlanProblem;
import java.util.stream.LongStream;

/** The live bytes over the tasks: ranges of tasks with equally many live bytes. */
public final class LoadSteps {

  private final TaskRanks ranks;
  private final long[] bytes;

  private LoadSteps(TaskRanks ranks, long[] bytes) {
    this.ranks = ranks;
    this.bytes = bytes;
  }

  /** {@return the load of a problem, with the bytes of {@link TaskLoad}; O(n log n)} */
  public static LoadSteps of(PlanProblem problem) {
    TaskRanks ranks =
        TaskRanks.ofStarts(
            problem.records().stream()
                .flatMap(record -> LiveRange.of(record).stream())
                .flatMapToLong(LoadSteps::changes));
    return new LoadSteps(ranks, TaskLoad.byRank(problem, ranks));
  }

  /** {@return the tasks at which the load changes because of a range} */
  private static LongStream changes(LiveRange range) {
    return range.lastTask() == Long.MAX_VALUE
        ? LongStream.of(range.firstTask())
        : LongStream.of(range.firstTask(), range.lastTask() + 1);
  }

  /** {@return the number of steps; equal loads can follow each other} */
  public int count() {
    return ranks.count();
  }

  /** {@return the first task of a step} */
  public long firstTask(int step) {
    return ranks.start(step);
  }

  /** {@return the last task of a step; the last step ends at the last task of all} */
  public long lastTask(int step) {
    return step + 1 < ranks.count() ? ranks.start(step + 1) - 1 : Long.MAX_VALUE;
  }

  /** {@return the bytes that are live at the tasks of a step} */
  public long bytes(int step) {
    return bytes[step];
  }
}
