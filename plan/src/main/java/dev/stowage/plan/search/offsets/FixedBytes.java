package dev.stowage.plan.search.offsets;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The bytes of records that stay at their offsets: the obstacles of movable records. */
final class FixedBytes {

  private static final long[] NONE = {};

  /** The bytes {@code [startByte, endByte)}, occupied from the first to the last task. */
  private record FixedRange(long firstTask, long lastTask, long startByte, long endByte) {

    boolean isLive(LiveRange need) {
      return firstTask <= need.lastTask() && lastTask >= need.firstTask();
    }
  }

  /** The occupied ranges, by ascending start. */
  private final List<FixedRange> ranges = new ArrayList<>();

  private final StepCounter steps;

  /**
   * Creates the bytes of some records. If a record needs some bytes at a task, it occupies all of
   * them.
   *
   * @param fixed the indices of the records
   * @param offsets the offset of each record of the problem
   * @param steps counts the visited ranges
   */
  FixedBytes(PlanProblem problem, int[] fixed, long[] offsets, StepCounter steps) {
    this.steps = steps;
    for (int k : IndexOrder.ascending(fixed.length, k -> offsets[fixed[k]])) {
      TensorUsageRecord record = problem.records().get(fixed[k]);
      long start = offsets[fixed[k]];
      for (LiveRange range : LiveRange.of(record)) {
        ranges.add(
            new FixedRange(range.firstTask(), range.lastTask(), start, start + record.bytes()));
      }
    }
  }

  /**
   * {@return the occupied ranges at each task: starts and ends, alternating, ascending, disjoint}
   *
   * @param tasks ascending
   */
  long[][] takenAt(long[] tasks) {
    Edges[] edges = new Edges[tasks.length];
    for (FixedRange range : ranges) {
      int first = firstAtOrAfter(tasks, range.firstTask);
      int task = first;
      for (; task < tasks.length && tasks[task] <= range.lastTask; task++) {
        if (edges[task] == null) {
          edges[task] = new Edges();
        }
        edges[task].add(range.startByte, range.endByte);
      }
      steps.check(16L + 4L * (task - first));
    }
    long[][] taken = new long[tasks.length][];
    Arrays.setAll(taken, task -> edges[task] == null ? NONE : edges[task].toArray());
    return taken;
  }

  private static int firstAtOrAfter(long[] tasks, long task) {
    int found = Arrays.binarySearch(tasks, task);
    return found >= 0 ? found : -found - 1;
  }

  /** {@return the ranges occupied at some task of {@code needs}, as in {@link #takenAt}} */
  long[] takenDuring(List<LiveRange> needs) {
    if (ranges.isEmpty()) {
      return NONE;
    }
    Edges edges = new Edges();
    for (FixedRange range : ranges) {
      for (LiveRange need : needs) {
        if (range.isLive(need)) {
          edges.add(range.startByte, range.endByte);
        }
      }
      steps.check(4L * needs.size());
    }
    return edges.toArray();
  }

  /** Ranges of bytes that are added by ascending start and merged if they overlap or touch. */
  private static final class Edges {

    private long[] edges = new long[4];
    private int count;

    void add(long start, long end) {
      if (count > 0 && start <= edges[count - 1]) {
        edges[count - 1] = Math.max(edges[count - 1], end);
        return;
      }
      if (count == edges.length) {
        edges = Arrays.copyOf(edges, 2 * count);
      }
      edges[count++] = start;
      edges[count++] = end;
    }

    long[] toArray() {
      return Arrays.copyOf(edges, count);
    }
  }
}
