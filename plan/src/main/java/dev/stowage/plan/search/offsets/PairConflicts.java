package dev.stowage.plan.search.offsets;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.time.LiveRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The conflicting pairs of records of a partition, with the differences of offsets that make them
 * overlap.
 *
 * <p>The movable records have their numbers of the partition; the pinned ones follow. The lists of
 * conflicts are shared with the partition to save memory.
 */
final class PairConflicts {

  final int movableCount;
  final long[] bytes;
  final long[] alignment;

  /** The offset of each pinned record; 0 for movable records. */
  final long[] minOffsets;

  /** The movable records by descending size, then by number. */
  final int[] bySize;

  /** The index of each record in {@link #bySize}; -1 for pinned records. */
  final int[] rank;

  /** For each movable record, the records that it conflicts with. */
  final int[][] conflicts;

  private final LiveRange[][] ranges;

  /**
   * Creates the pairs of a partition.
   *
   * @param fixed the indices of its pinned records
   * @param steps counts the pairs of a movable and a pinned record
   */
  PairConflicts(Partition partition, PlanProblem problem, int[] fixed, StepCounter steps) {
    movableCount = partition.recordCount();
    int count = movableCount + fixed.length;
    bytes = new long[count];
    alignment = new long[count];
    minOffsets = new long[count];
    ranges = new LiveRange[count][];
    for (int i = 0; i < count; i++) {
      boolean isPinned = isPinned(i);
      int index = isPinned ? fixed[i - movableCount] : partition.records[i];
      TensorUsageRecord record = problem.records().get(index);
      bytes[i] = record.bytes();
      alignment[i] = problem.alignmentOf(record);
      minOffsets[i] = isPinned ? record.pinnedOffset().orElseThrow() : 0;
      ranges[i] = LiveRange.of(record).toArray(LiveRange[]::new);
    }
    conflicts = new int[movableCount][];
    for (int i = 0; i < movableCount; i++) {
      steps.check(1L + 8L * fixed.length);
      conflicts[i] = withPinned(i, partition.conflicts[i]);
    }
    bySize = IndexOrder.descending(movableCount, i -> bytes[i]);
    rank = new int[count];
    Arrays.fill(rank, -1);
    for (int k = 0; k < movableCount; k++) {
      rank[bySize[k]] = k;
    }
  }

  /** {@return the conflicts of a record with movable and with pinned records} */
  private int[] withPinned(int record, int[] movable) {
    int[] all = movable;
    int count = movable.length;
    for (int other = movableCount; other < bytes.length; other++) {
      if (overlap(record, other)) {
        if (count == all.length) {
          all = Arrays.copyOf(all, count + Math.max(8, count / 2));
        }
        all[count++] = other;
      }
    }
    return count == all.length ? all : Arrays.copyOf(all, count);
  }

  private boolean overlap(int a, int b) {
    for (LiveRange ofA : ranges[a]) {
      for (LiveRange ofB : ranges[b]) {
        if (overlap(ofA, ofB)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean overlap(LiveRange a, LiveRange b) {
    return a.firstTask() <= b.lastTask() && b.firstTask() <= a.lastTask();
  }

  int count() {
    return bytes.length;
  }

  boolean isPinned(int record) {
    return record >= movableCount;
  }

  /** {@return the approximate number of steps of a test of a pair with this record} */
  int stepsPerPair(int record) {
    return 8 + 8 * ranges[record].length;
  }

  /**
   * {@return true if two records overlap}
   *
   * @param difference the offset of {@code b} minus the offset of {@code a}
   */
  boolean isForbidden(int a, int b, long difference) {
    LiveRange[] ofA = ranges[a];
    LiveRange[] ofB = ranges[b];
    int i = 0;
    int j = 0;
    while (i < ofA.length && j < ofB.length) {
      LiveRange first = ofA[i];
      LiveRange second = ofB[j];
      if (overlap(first, second)
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
   * {@return the start and end of the largest interval of forbidden differences around one of them}
   *
   * <p>The interval is open: two intervals that touch permit the difference between them.
   */
  long[] intervalAround(int a, int b, long difference) {
    List<long[]> intervals = new ArrayList<>();
    for (LiveRange ofA : ranges[a]) {
      for (LiveRange ofB : ranges[b]) {
        if (overlap(ofA, ofB)) {
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
