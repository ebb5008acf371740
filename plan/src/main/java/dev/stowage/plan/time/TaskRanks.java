package dev.stowage.plan.time;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/**
 * A compressed time axis: the first tasks of records, numbered in ascending order.
 *
 * <p>Two lifetimes have a task in common if and only if they have the start of the later one in
 * common, so ranks preserve conflicts. No task between two starts has more live bytes than the
 * first of the two.
 */
public final class TaskRanks {

  private static final long INTERVALS_PER_START = 4;

  private final long[] starts;

  /** The tasks from the first start on are divided into intervals of 2^shift tasks. */
  private final int shift;

  /** The number of starts before each interval, and of all starts. */
  private final int[] ranksBefore;

  private TaskRanks(long[] starts) {
    this.starts = starts;
    long tasks = starts.length == 0 ? 0 : starts[starts.length - 1] - starts[0];
    // At most four intervals for each start, or one for each task.
    shift =
        Long.SIZE - Long.numberOfLeadingZeros(tasks / (INTERVALS_PER_START * starts.length + 1));
    ranksBefore = new int[(int) (tasks >> shift) + 2];
    for (long start : starts) {
      ranksBefore[(int) ((start - starts[0]) >> shift) + 1]++;
    }
    for (int k = 1; k < ranksBefore.length; k++) {
      ranksBefore[k] += ranksBefore[k - 1];
    }
  }

  /** {@return the ranks of some tasks, in any order} */
  public static TaskRanks ofStarts(LongStream firstTasks) {
    long[] sorted = firstTasks.toArray();
    Arrays.sort(sorted);
    int count = 0;
    for (int k = 0; k < sorted.length; k++) {
      if (k == 0 || sorted[k] != sorted[k - 1]) {
        sorted[count++] = sorted[k];
      }
    }
    return new TaskRanks(Arrays.copyOf(sorted, count));
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
  public long start(int rank) {
    return starts[rank];
  }

  /** {@return the number of ranks} */
  public int count() {
    return starts.length;
  }

  /** {@return the ranges with ranks instead of tasks; each must begin at a start} */
  public List<LiveRange> ofRanges(List<LiveRange> ranges) {
    return ranges.size() == 1
        ? List.of(ofRange(ranges.getFirst()))
        : ranges.stream().map(this::ofRange).toList();
  }

  private LiveRange ofRange(LiveRange range) {
    return new LiveRange(
        ofFirst(range.firstTask()), ofLast(range.lastTask()), range.startByte(), range.endByte());
  }

  /** {@return the rank of {@code firstTask}, which must be a start} */
  public int ofFirst(long firstTask) {
    return ofLast(firstTask);
  }

  /**
   * {@return the rank of the last start that is not after {@code lastTask}; -1 if there is none}
   *
   * <p>Costs O(1) if starts are spread evenly, and at most O(log n).
   */
  public int ofLast(long lastTask) {
    if (starts.length == 0 || lastTask < starts[0]) {
      return -1;
    }
    long interval = (lastTask - starts[0]) >> shift;
    if (interval >= ranksBefore.length - 1) {
      return starts.length - 1;
    }
    int low = ranksBefore[(int) interval];
    int high = ranksBefore[(int) interval + 1];
    if (shift == 0) {
      return high - 1;
    }
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (starts[middle] <= lastTask) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}
