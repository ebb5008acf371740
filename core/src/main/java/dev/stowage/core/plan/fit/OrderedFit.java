package dev.stowage.core.plan.fit;

import dev.stowage.core.plan.LiveRange;
import dev.stowage.core.plan.OffsetsAssignment;
import dev.stowage.core.plan.PlanProblem;
import dev.stowage.core.plan.TensorUsageRecord;
import dev.stowage.core.plan.time.TaskRanks;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Places the records of a problem one after the other, in whatever order it is told. */
public final class OrderedFit {

  private static final int STOP_INTERVAL_RECORDS = 4;

  private final PlanProblem problem;
  private final TaskRanks ranks;

  /** Above all records one after the other, no hint is of use. */
  private final long highestHint;

  public OrderedFit(PlanProblem problem) {
    this.problem = problem;
    ranks = TaskRanks.ofLiveRanges(problem);
    highestHint = problem.naiveBytes();
  }

  /** {@return how many starts lie within each record's lifetime} */
  long[] spans() {
    long[] spans = new long[problem.records().size()];
    for (int i = 0; i < spans.length; i++) {
      TensorUsageRecord record = problem.records().get(i);
      spans[i] = 1L + ranks.ofLast(record.lastTask()) - ranks.ofLast(record.firstTask());
    }
    return spans;
  }

  /** Where a record goes, of all gaps that hold it. */
  public enum Fit {
    LOWEST,
    /** Into the smallest gap; a record with gaps in its lifetime into the lowest. */
    TIGHTEST,
    /**
     * At its hint if that is free and the records that are still to be placed would fit above it,
     * below 2^63 bytes; else, or without a hint, into the lowest gap.
     */
    HINTED
  }

  /**
   * {@return the offsets; empty if it was stopped}
   *
   * <p>Pinned records go first, where they are pinned, even onto each other. Costs: see {@link
   * OccupancyIndex}.
   *
   * @param order all indices; those of pinned records are passed over
   * @param stop whether to give up; asked now and then
   */
  public Optional<OffsetsAssignment> place(int[] order, Fit fit, BooleanSupplier stop) {
    return place(order, fit, stop, new OccupancyIndex(ranks.count()));
  }

  /** The same, with an empty index that the caller looks at afterwards. */
  public Optional<OffsetsAssignment> place(
      int[] order, Fit fit, BooleanSupplier stop, OccupancyIndex placed) {
    List<TensorUsageRecord> records = problem.records();
    long[] offsets = new long[records.size()];
    // No end so far plus these bytes exceeds Long.MAX_VALUE: PlanProblem checks it, hints keep it.
    long unplacedBytes = 0;
    for (int i = 0; i < offsets.length; i++) {
      TensorUsageRecord record = records.get(i);
      if (record.pinnedOffset().isPresent()) {
        offsets[i] = record.pinnedOffset().getAsLong();
        occupy(placed, ranks.ofRanges(record.liveRanges()), offsets[i]);
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
        List<LiveRange> needs = ranks.ofRanges(record.liveRanges());
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

  /** {@return the bytes that a record takes at most, where it is placed behind another} */
  private long paddedBytes(TensorUsageRecord record) {
    return record.bytes() + problem.alignmentOf(record) - 1;
  }

  private boolean isHintFree(
      OccupancyIndex placed, TensorUsageRecord record, List<LiveRange> needs, long unplacedBytes) {
    long hint = record.hint().orElse(-1);
    return hint >= 0
        && hint <= highestHint
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
      for (LiveRange range : record.liveRanges()) {
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
      for (LiveRange range : records.get(i).liveRanges()) {
        int first = ranks.ofFirst(range.firstTask());
        int last = ranks.ofLast(range.lastTask());
        long[] level = maximums[31 - Integer.numberOfLeadingZeros(last - first + 1)];
        int width = Integer.highestOneBit(last - first + 1);
        peaks[i] = Math.max(peaks[i], Math.max(level[first], level[last - width + 1]));
      }
    }
    return peaks;
  }

  /** {@return for each power of two, the largest of that many values from each one on} */
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
