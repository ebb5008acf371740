package dev.stowage.core.plan.search.offsets;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.base.IndexOrder;
import dev.stowage.core.plan.base.StepCounter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The pairs of records of a part that need some bytes at one task, with the distances that keep
 * them out of each other's way.
 *
 * <p>Movable records have their numbers of the part; pinned ones follow. The lists of conflicts are
 * those of the part, so that pairs take no memory of their own.
 */
final class PairConflicts {

  final int movableCount;
  final long[] bytes;
  final long[] alignment;

  /** Pinned offsets; 0 for movable records. */
  final long[] least;

  /** The movable records by descending size, then by number. */
  final int[] bySize;

  /** The place of each record in {@link #bySize}; pinned records come before all others. */
  final int[] rank;

  /** For each movable record, the records that it conflicts with. */
  final int[][] near;

  private final LiveRange[][] ranges;

  /**
   * The pairs of a part.
   *
   * @param fixed the indices of its pinned records
   * @param steps is told of every pair of a movable and a pinned record
   */
  PairConflicts(Partition part, PlanProblem problem, int[] fixed, StepCounter steps) {
    movableCount = part.recordCount();
    int count = movableCount + fixed.length;
    bytes = new long[count];
    alignment = new long[count];
    least = new long[count];
    ranges = new LiveRange[count][];
    for (int i = 0; i < count; i++) {
      boolean isPinned = isPinned(i);
      int index = isPinned ? fixed[i - movableCount] : part.records[i];
      TensorUsageRecord record = problem.records().get(index);
      bytes[i] = record.bytes();
      alignment[i] = problem.alignmentOf(record);
      least[i] = isPinned ? record.pinnedOffset().orElseThrow() : 0;
      ranges[i] = record.liveRanges().toArray(LiveRange[]::new);
    }
    near = new int[movableCount][];
    for (int i = 0; i < movableCount; i++) {
      steps.check(1L + 8L * fixed.length);
      near[i] = withPinned(i, part.conflicts[i]);
    }
    bySize = IndexOrder.descending(movableCount, i -> bytes[i]);
    rank = new int[count];
    Arrays.fill(rank, -1);
    for (int k = 0; k < movableCount; k++) {
      rank[bySize[k]] = k;
    }
  }

  private int[] withPinned(int record, int[] movable) {
    int[] all = movable;
    int count = movable.length;
    for (int other = movableCount; other < bytes.length; other++) {
      if (shareATask(record, other)) {
        if (count == all.length) {
          all = Arrays.copyOf(all, count + Math.max(8, count / 2));
        }
        all[count++] = other;
      }
    }
    return count == all.length ? all : Arrays.copyOf(all, count);
  }

  private boolean shareATask(int a, int b) {
    for (LiveRange ofA : ranges[a]) {
      for (LiveRange ofB : ranges[b]) {
        if (shareATask(ofA, ofB)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean shareATask(LiveRange a, LiveRange b) {
    return a.firstTask() <= b.lastTask() && b.firstTask() <= a.lastTask();
  }

  int count() {
    return bytes.length;
  }

  boolean isPinned(int record) {
    return record >= movableCount;
  }

  /** {@return about how many steps a look at a pair with this record takes} */
  int lookSteps(int record) {
    return 8 + 8 * ranges[record].length;
  }

  /**
   * {@return true if two records are in each other's way}
   *
   * @param difference the offset of {@code b} less that of {@code a}
   */
  boolean isForbidden(int a, int b, long difference) {
    LiveRange[] ofA = ranges[a];
    LiveRange[] ofB = ranges[b];
    int i = 0;
    int j = 0;
    while (i < ofA.length && j < ofB.length) {
      LiveRange first = ofA[i];
      LiveRange second = ofB[j];
      if (shareATask(first, second)
          && first.startByte() - second.endByte() < difference
          && difference < first.endByte() - second.startByte()) {
        return true;
      }
      if (first.lastTask() <= second.lastTask()) {
        i++;
      } else {
        j++;
      }
    }
    return false;
  }

  /**
   * {@return start and end of the forbidden interval around a forbidden difference}
   *
   * <p>Intervals are open: two that only touch leave a difference between them.
   */
  long[] intervalAround(int a, int b, long difference) {
    List<long[]> intervals = new ArrayList<>();
    for (LiveRange ofA : ranges[a]) {
      for (LiveRange ofB : ranges[b]) {
        if (shareATask(ofA, ofB)) {
          intervals.add(
              new long[] {ofA.startByte() - ofB.endByte(), ofA.endByte() - ofB.startByte()});
        }
      }
    }
    intervals.sort(Comparator.comparingLong(interval -> interval[0]));
    long[] merged = {Long.MIN_VALUE, Long.MIN_VALUE};
    for (long[] interval : intervals) {
      if (interval[0] < merged[1]) {
        merged[1] = Math.max(merged[1], interval[1]);
      } else if (difference < merged[1]) {
        break;
      } else {
        merged = interval;
      }
    }
    return merged;
  }
}
