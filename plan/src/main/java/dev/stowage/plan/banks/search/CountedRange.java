package dev.stowage.plan.banks.search;

import dev.stowage.plan.InPlace;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.time.LiveRange;
import dev.stowage.plan.time.TaskRanks;
import java.util.BitSet;
import java.util.List;

/**
 * The ranks and bytes with which a record counts for the live bytes of a bank.
 *
 * <p>These are not more than it needs in any plan. Pinned records do not count, since they may
 * overlap. Of a record with gaps, only the largest range counts. A record that may be in place of
 * another does not count at its first task.
 *
 * @param from the first rank
 * @param to the rank after the last one
 * @param bytes the bytes at these ranks; 0 if the record does not count
 */
record CountedRange(int from, int to, long bytes) {

  /** {@return the range of each record} */
  static CountedRange[] of(PlanProblem problem) {
    TaskRanks ranks = TaskRanks.ofLiveRanges(problem);
    List<TensorUsageRecord> records = problem.records();
    BitSet inPlace = new BitSet();
    problem.usableInPlace().stream().mapToInt(InPlace::record).forEach(inPlace::set);
    CountedRange[] counted = new CountedRange[records.size()];
    for (int i = 0; i < counted.length; i++) {
      List<LiveRange> needs = ranks.ofRanges(LiveRange.of(records.get(i)));
      counted[i] =
          needs.isEmpty() || records.get(i).bytes() == 0
              ? new CountedRange(0, 0, 0)
              : of(needs, records.get(i), inPlace.get(i));
    }
    return counted;
  }

  private static CountedRange of(
      List<LiveRange> needs, TensorUsageRecord record, boolean isInPlace) {
    LiveRange largest = needs.getFirst();
    for (LiveRange range : needs) {
      if (area(range) > area(largest)) {
        largest = range;
      }
    }
    int start = (int) largest.firstTask();
    int from = isInPlace && start == needs.getFirst().firstTask() ? start + 1 : start;
    int to = (int) largest.lastTask() + 1;
    return from < to && record.pinnedOffset().isEmpty()
        ? new CountedRange(from, to, largest.bytes())
        : new CountedRange(start, start, 0);
  }

  private static double area(LiveRange range) {
    return (double) range.bytes() * (range.lastTask() - range.firstTask() + 1);
  }

  /** {@return true if the record does not count} */
  boolean isEmpty() {
    return bytes == 0;
  }
}
