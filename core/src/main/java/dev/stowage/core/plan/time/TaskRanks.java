package dev.stowage.core.plan.time;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Numbers the tasks at which something starts, so that a time axis is as long as there are starts.
 *
 * <p>Two lifetimes share a task exactly if they share the start of the later one, so conflicts stay
 * the same. Of the tasks between two starts, none has more live bytes than the first.
 */
public final class TaskRanks {

  private final long[] starts;

  private TaskRanks(long[] starts) {
    this.starts = starts;
  }

  static TaskRanks ofStarts(LongStream firstTasks) {
    return new TaskRanks(firstTasks.sorted().distinct().toArray());
  }

  public static TaskRanks of(PlanProblem problem) {
    return ofStarts(problem.records().stream().mapToLong(TensorUsageRecord::firstTask));
  }

  /** {@return ranks for what is live from when to when, with gaps in lifetimes cut out} */
  public static TaskRanks ofLiveRanges(PlanProblem problem) {
    return ofStarts(
        problem.records().stream()
            .flatMap(record -> record.liveRanges().stream())
            .mapToLong(LiveRange::firstTask));
  }

  /** {@return the task of a rank} */
  long start(int rank) {
    return starts[rank];
  }

  public int count() {
    return starts.length;
  }

  /** {@return the ranges with ranks in place of tasks; each starts at a start} */
  public List<LiveRange> ofRanges(List<LiveRange> ranges) {
    return ranges.stream()
        .map(range ->
            new LiveRange(
                ofFirst(range.firstTask()),
                ofLast(range.lastTask()),
                range.startByte(),
                range.endByte()))
        .toList();
  }

  /** {@return the rank of {@code firstTask}, which must be a start} */
  public int ofFirst(long firstTask) {
    return Arrays.binarySearch(starts, firstTask);
  }

  /** {@return the rank of the last start that is not after {@code lastTask}} */
  public int ofLast(long lastTask) {
    int found = Arrays.binarySearch(starts, lastTask);
    return found >= 0 ? found : -found - 2;
  }
}
