package dev.stowage.plan.greedy;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.ReuseGraph;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.conflict.ConflictForm;
import dev.stowage.plan.conflict.Conflicts;
import dev.stowage.plan.fit.OrderedFit;
import dev.stowage.plan.planner.OffsetsPlanner;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Places the records of a problem with a {@link ReuseGraph} one by one, in a given order. */
final class ConflictFit {

  /*
   * For each record, the planner visits the placed records by offset: O(n²) tests of one bit each.
   */

  private final PlanProblem problem;
  private final Conflicts conflicts;
  private final long[] offsets;

  /** The placed records, by offset. */
  private final int[] placed;

  private int placedCount;
  private final StepCounter steps;

  private ConflictFit(PlanProblem problem, Conflicts conflicts, StepCounter steps) {
    this.steps = steps;
    this.problem = problem;
    this.conflicts = conflicts;
    offsets = new long[problem.records().size()];
    placed = new int[offsets.length];
  }

  /**
   * {@return the plan of a problem with a graph, which places pinned records first}
   *
   * @param planner the planner of the widened problem if that has the same conflicts
   * @param order all indices; pinned records are skipped
   * @param fit lowest or tightest
   * @param stop true to give up
   * @throws java.util.concurrent.CancellationException if {@code stop} returned true
   */
  static OffsetsAssignment place(
      PlanProblem problem,
      OffsetsPlanner planner,
      int[] order,
      OrderedFit.Fit fit,
      BooleanSupplier stop) {
    ConflictForm form = ConflictForm.of(problem, stop);
    return form.isWidenedExact()
        ? planner.planOffsets(form.widened(), stop)
        : new ConflictFit(problem, form.conflicts(), new StepCounter(stop)).place(order, fit);
  }

  private OffsetsAssignment place(int[] order, OrderedFit.Fit fit) {
    List<TensorUsageRecord> records = problem.records();
    for (int i = 0; i < offsets.length; i++) {
      if (records.get(i).pinnedOffset().isPresent()) {
        offsets[i] = records.get(i).pinnedOffset().getAsLong();
        insert(i);
      }
    }
    for (int i : order) {
      if (records.get(i).pinnedOffset().isEmpty()) {
        steps.check(1 + placedCount);
        offsets[i] = offset(i, fit);
        insert(i);
      }
    }
    return OffsetsAssignment.inSmallestArena(problem, offsets);
  }

  /** {@return the lowest gap or the smallest one; without a gap, the end of the conflicts} */
  private long offset(int record, OrderedFit.Fit fit) {
    long bytes = problem.records().get(record).bytes();
    long alignment = problem.alignmentOf(problem.records().get(record));
    long free = 0;
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    for (int k = 0; k < placedCount; k++) {
      int other = placed[k];
      if (conflicts.conflict(record, other)) {
        long gap = offsets[other] - free;
        if (gap >= bytes && gap < bestGap) {
          if (fit == OrderedFit.Fit.LOWEST) {
            return free;
          }
          best = free;
          bestGap = gap;
        }
        long end = offsets[other] + problem.records().get(other).bytes();
        if (end > free) {
          free = Alignment.up(end, alignment);
        }
      }
    }
    return best >= 0 ? best : free;
  }

  /** Inserts a placed record by offset; a record of no bytes conflicts with none. */
  private void insert(int record) {
    if (problem.records().get(record).bytes() == 0) {
      return;
    }
    int from = 0;
    int to = placedCount;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (offsets[placed[middle]] <= offsets[record]) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    System.arraycopy(placed, from, placed, from + 1, placedCount - from);
    placed[from] = record;
    placedCount++;
  }
}
