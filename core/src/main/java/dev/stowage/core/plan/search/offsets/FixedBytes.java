package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Bytes of records that stay where they are, as movable records meet them. */
final class FixedBytes {

  private static final long[] NONE = {};

  /** Bytes that are taken from one task to another. */
  private record FixedRange(long firstTask, long lastTask, long startByte, long endByte) {

    boolean isLive(LiveRange need) {
      return firstTask <= need.lastTask() && lastTask >= need.firstTask();
    }
  }

  /** By ascending start. */
  private final List<FixedRange> ranges = new ArrayList<>();

  private final StepCounter steps;

  /**
   * The bytes of some records; a record takes all of its bytes wherever it needs some.
   *
   * @param fixed the indices of the records
   * @param offsets where records are, by their indices in the problem
   * @param steps is told of every look at a range
   */
  FixedBytes(PlanProblem problem, int[] fixed, long[] offsets, StepCounter steps) {
    this.steps = steps;
    for (int k : IndexOrder.ascending(fixed.length, k -> offsets[fixed[k]])) {
      TensorUsageRecord record = problem.records().get(fixed[k]);
      long start = offsets[fixed[k]];
      for (LiveRange range : record.liveRanges()) {
        ranges.add(
            new FixedRange(range.firstTask(), range.lastTask(), start, start + record.bytes()));
      }
    }
  }

  /** {@return for each of some ascending tasks, start and end of what is taken then, merged} */
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

  /** {@return start and end of what is taken at some task of some needs, merged} */
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

  /** Ranges of bytes, added by ascending start; those that overlap or touch are merged. */
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
