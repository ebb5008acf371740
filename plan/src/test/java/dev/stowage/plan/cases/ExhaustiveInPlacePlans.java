package dev.stowage.plan.cases;

import dev.stowage.plan.Gap;
import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import java.util.List;

/**
 * The smallest arena of a small problem with records in place, by exhaustive enumeration of all
 * offsets, and the rules for overlaps, byte by byte. It shares no code with the planner and the
 * checker.
 */
public final class ExhaustiveInPlacePlans {

  private final PlanProblem problem;
  private final List<TensorUsageRecord> records;
  private final long[] offsets;

  private ExhaustiveInPlacePlans(PlanProblem problem) {
    this.problem = problem;
    records = problem.records();
    offsets = new long[records.size()];
  }

  /** {@return the bytes of the smallest arena} */
  public static long smallestArena(PlanProblem problem) {
    ExhaustiveInPlacePlans plans = new ExhaustiveInPlacePlans(problem);
    long capacity = 0;
    while (!plans.fits(0, capacity)) {
      capacity++;
    }
    return capacity;
  }

  private boolean fits(int index, long capacity) {
    if (index == records.size()) {
      return true;
    }
    TensorUsageRecord record = records.get(index);
    for (long offset = 0; offset + record.bytes() <= capacity; offset++) {
      boolean isAllowed =
          offset % record.alignment() == 0
              && offset % problem.alignment() == 0
              && record.pinnedOffset().orElse(offset) == offset;
      if (isAllowed) {
        offsets[index] = offset;
        if (isFree(index) && fits(index + 1, capacity)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean isFree(int index) {
    for (int other = 0; other < index; other++) {
      boolean bothPinned =
          records.get(index).pinnedOffset().isPresent()
              && records.get(other).pinnedOffset().isPresent();
      if (!bothPinned && overlap(problem, offsets, index, other)) {
        return false;
      }
    }
    return true;
  }

  /** {@return true if two records need the same byte at the same task without permission} */
  public static boolean overlap(PlanProblem problem, long[] offsets, int one, int other) {
    TensorUsageRecord a = problem.records().get(one);
    TensorUsageRecord b = problem.records().get(other);
    long first = Math.max(a.firstTask(), b.firstTask());
    long last = Math.min(a.lastTask(), b.lastTask());
    for (long task = first; task <= last; task++) {
      for (long x = 0; x < a.bytes(); x++) {
        long y = x + offsets[one] - offsets[other];
        boolean isShared = 0 <= y && y < b.bytes() && isNeeded(a, x, task) && isNeeded(b, y, task);
        if (isShared && !isPermitted(problem, offsets, one, other, task)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isNeeded(TensorUsageRecord record, long index, long task) {
    for (Gap gap : record.gaps()) {
      if (gap.firstTask() <= task && task <= gap.lastTask()) {
        return gap.windowStart() <= index && index < gap.windowEnd();
      }
    }
    return true;
  }

  private static boolean isPermitted(
      PlanProblem problem, long[] offsets, int one, int other, long task) {
    for (InPlace pair : problem.inPlace()) {
      boolean isPair =
          (pair.record() == one && pair.source() == other)
              || (pair.record() == other && pair.source() == one);
      if (isPair) {
        TensorUsageRecord record = problem.records().get(pair.record());
        TensorUsageRecord source = problem.records().get(pair.source());
        return task == record.firstTask()
            && task == source.lastTask()
            && offsets[one] == offsets[other]
            && record.bytes() <= source.bytes()
            && record.gaps().stream().noneMatch(gap -> contains(gap, task))
            && source.gaps().stream().noneMatch(gap -> contains(gap, task));
      }
    }
    return false;
  }

  private static boolean contains(Gap gap, long task) {
    return gap.firstTask() <= task && task <= gap.lastTask();
  }
}
