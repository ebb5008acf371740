package dev.stowage.plan.time;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A compressed time axis: the tasks at which records start, numbered in ascending order.
 *
 * <p>Two lifetimes have a task in common if and only if they have the start of the later one in
 * common, so ranks preserve conflicts. No task between two starts has more live bytes than the
 * first of the two.
 */
public final class TaskRanks {

  private final long[] starts;

  private TaskRanks(long[] starts) {
    this.starts = starts;
  }

  /** {@return the ranks of the given tasks} */
  static TaskRanks ofStarts(LongStream firstTasks) {
    return new TaskRanks(firstTasks.sorted().distinct().toArray());
  }

  /** {@return the ranks of the first tasks of all records} */
  public static TaskRanks of(PlanProblem problem) {
    return ofStarts(problem.records().stream().mapToLong(TensorUsageRecord::firstTask));
  }

  /** {@return the ranks of the first tasks of all live ranges} */
  public static TaskRanks ofLiveRanges(PlanProblem problem) {
    return ofStarts(
        problem.records().stream()
            .flatMap(record -> LiveRange.of(record).stream())
            .mapToLong(LiveRange::firstTask));
  }

  /** {@return the task of a rank} */
  long start(int rank) {
    return starts[rank];
  }

  /** {@return the number of ranks} */
  public int count() {
    return starts.length;
  }

  /** {@return the ranges with ranks instead of tasks; each must begin at a start} */
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
