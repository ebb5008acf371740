package dev.stowage.plan.fit;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.time.LiveRange;
import dev.stowage.plan.time.TaskRanks;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Places the records of a problem one by one, in a given order. */
public final class OrderedFit {

  private static final int STOP_INTERVAL_RECORDS = 4;

  private final PlanProblem problem;
  private final TaskRanks ranks;

  /** The largest hint that is followed: the end of all records without sharing. */
  private final long maxHint;

  public OrderedFit(PlanProblem problem) {
    this.problem = problem;
    ranks = TaskRanks.ofLiveRanges(problem);
    maxHint = problem.naiveBytes();
  }

  /** {@return the number of task ranks in each record's lifetime} */
  long[] spans() {
    long[] spans = new long[problem.records().size()];
    for (int i = 0; i < spans.length; i++) {
      TensorUsageRecord record = problem.records().get(i);
      spans[i] = 1L + ranks.ofLast(record.lastTask()) - ranks.ofLast(record.firstTask());
    }
    return spans;
  }

  /** The choice among the gaps that are large enough for a record. */
  public enum Fit {
    /** The lowest gap. */
    LOWEST,
    /** The smallest gap. A record with gaps in its lifetime takes the lowest gap. */
    TIGHTEST,
    /**
     * The hint, if it is free and all unplaced records would fit between it and 2^63 bytes;
     * otherwise, the lowest gap.
     */
    HINTED
  }

  /**
   * {@return the plan; empty if {@code stop} returned true}
   *
   * <p>Pinned records are placed first and may overlap each other.
   *
   * @param order all indices; pinned records are skipped
   * @param stop true to give up; called after every few records
   */
  public Optional<OffsetsAssignment> place(int[] order, Fit fit, BooleanSupplier stop) {
    return place(order, fit, stop, new OccupancyIndex(ranks, problem.records()));
  }

  /** {@return the same plan, from an empty index that the caller can inspect afterwards} */
  Optional<OffsetsAssignment> place(
      int[] order, Fit fit, BooleanSupplier stop, OccupancyIndex placed) {
    List<TensorUsageRecord> records = problem.records();
    long[] offsets = new long[records.size()];
    // The end of the placed records plus these bytes never exceeds Long.MAX_VALUE: PlanProblem
    // checks the sum, and isHintFree() preserves it.
    long unplacedBytes = 0;
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = records.get(i);
      if (record.pinnedOffset().isPresent()) {
        offsets[i] = record.pinnedOffset().getAsLong();
        occupy(placed, ranks.ofRanges(LiveRange.of(record)), offsets[i]);
      } else {
        unplacedBytes += paddedBytes(record);
      }
    }
    for (int k = 0; k < order.length; k++) {
      if ((k + 1) % STOP_INTERVAL_RECORDS == 0 && stop.getAsBoolean()) {
        return Optional.empty();
      }
      int i = order[k];
      TensorUsageRecord record = records.get(i);
      if (record.pinnedOffset().isEmpty()) {
        List<LiveRange> needs = ranks.ofRanges(LiveRange.of(record));
        unplacedBytes -= paddedBytes(record);
        offsets[i] =
            fit == Fit.HINTED && isHintFree(placed, record, needs, unplacedBytes)
                ? record.hint().getAsLong()
                : offset(placed, record, needs, fit);
        occupy(placed, needs, offsets[i]);
      }
    }
    return Optional.of(OffsetsAssignment.inSmallestArena(problem, offsets));
  }

  private long offset(
      OccupancyIndex placed, TensorUsageRecord record, List<LiveRange> needs, Fit fit) {
    long alignment = problem.alignmentOf(record);
    if (fit == Fit.TIGHTEST && record.gaps().isEmpty() && record.bytes() > 0) {
      LiveRange need = needs.getFirst();
      return placed.tightestGap(
          (int) need.firstTask(), (int) need.lastTask(), record.bytes(), alignment);
    }
    return placed.lowestGap(needs, alignment);
  }

  /** {@return the bytes of a record and of the largest padding before it} */
  private long paddedBytes(TensorUsageRecord record) {
    return record.bytes() + problem.alignmentOf(record) - 1;
  }

  /** {@return true if a record can be placed at its hint; see {@link Fit#HINTED}} */
  private boolean isHintFree(
      OccupancyIndex placed, TensorUsageRecord record, List<LiveRange> needs, long unplacedBytes) {
    long hint = record.hint().orElse(-1);
    return hint >= 0
        && hint <= maxHint
        && hint <= Long.MAX_VALUE - unplacedBytes - record.bytes()
        && hint % problem.alignmentOf(record) == 0
        && placed.isFree(needs, hint);
  }

  private static void occupy(OccupancyIndex placed, List<LiveRange> needs, long offset) {
    for (LiveRange need : needs) {
      placed.occupy(
          (int) need.firstTask(),
          (int) need.lastTask(),
          offset + need.startByte(),
          offset + need.endByte());
    }
  }

  /** {@return the largest sum of live bytes at any task of each record's lifetime} */
  long[] peaks() {
    List<TensorUsageRecord> records = problem.records();
    long[] live = new long[ranks.count() + 1];
    for (TensorUsageRecord record : records) {
      for (LiveRange range : LiveRange.of(record)) {
        live[ranks.ofFirst(range.firstTask())] += range.bytes();
        live[ranks.ofLast(range.lastTask()) + 1] -= range.bytes();
      }
    }
    for (int rank = 1; rank < live.length; rank++) {
      live[rank] += live[rank - 1];
    }
    long[][] maximums = maximums(live, ranks.count());
    long[] peaks = new long[records.size()];
    for (int i = 0; i < peaks.length; i++) {
      for (LiveRange range : LiveRange.of(records.get(i))) {
        int first = ranks.ofFirst(range.firstTask());
        int last = ranks.ofLast(range.lastTask());
        long[] level = maximums[31 - Integer.numberOfLeadingZeros(last - first + 1)];
        int width = Integer.highestOneBit(last - first + 1);
        peaks[i] = Math.max(peaks[i], Math.max(level[first], level[last - width + 1]));
      }
    }
    return peaks;
  }

  /**
   * {@return a sparse table: row k has the maximum of {@code values[i]} to {@code values[i + 2^k -
   * 1]} for each i}
   *
   * <p>Bender and Farach-Colton, "The LCA Problem Revisited" (2000).
   */
  private static long[][] maximums(long[] values, int count) {
    int levels = 32 - Integer.numberOfLeadingZeros(Math.max(1, count));
    long[][] maximums = new long[levels][];
    maximums[0] = values;
    for (int level = 1; level < levels; level++) {
      int half = 1 << (level - 1);
      long[] below = maximums[level - 1];
      maximums[level] = new long[count - 2 * half + 1];
      for (int i = 0; i < maximums[level].length; i++) {
        maximums[level][i] = Math.max(below[i], below[i + half]);
      }
    }
    return maximums;
  }
}
