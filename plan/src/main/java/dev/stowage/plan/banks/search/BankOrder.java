package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedProblem;
import java.util.Comparator;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.IntStream;

/**
 * An order of records for the choice of their banks.
 *
 * <p>In each order, pinned records come first, then records that are tied to a bank, then all
 * others. Of records that are equal in the order, the larger one comes first, and then the one with
 * the lower index.
 */
public enum BankOrder {

  /** The order of the planner for several banks of ExecuTorch (2026), which has no pins. */
  LARGEST_FIRST,

  /** By the difference between the costs of a record in its dearest and its cheapest bank. */
  MOST_SAVED_FIRST,

  /** By this difference for each byte. */
  MOST_SAVED_PER_BYTE_FIRST;

  /** {@return the indices of all records} */
  int[] of(BankedProblem problem) {
    List<TensorUsageRecord> records = problem.problem().records();
    long[] keys = IntStream.range(0, records.size()).mapToLong(i -> key(problem, i)).toArray();
    return IntStream.range(0, records.size())
        .boxed()
        .sorted(
            Comparator.<Integer>comparingInt(i -> group(problem, i))
                .thenComparingLong(i -> -keys[i])
                .thenComparingLong(i -> -records.get(i).bytes()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static int group(BankedProblem problem, int record) {
    if (problem.problem().records().get(record).pinnedOffset().isPresent()) {
      return 0;
    }
    return problem.ties().containsKey(record) ? 1 : 2;
  }

  private long key(BankedProblem problem, int record) {
    long bytes = problem.problem().records().get(record).bytes();
    return switch (this) {
      case LARGEST_FIRST -> bytes;
      case MOST_SAVED_FIRST -> problem.movedBytes(record) * costDifference(problem, record);
      case MOST_SAVED_PER_BYTE_FIRST ->
          bytes == 0 ? 0 : (1 + problem.reads(record)) * costDifference(problem, record);
    };
  }

  /** {@return the largest minus the smallest cost of the banks that a record may be in} */
  private static long costDifference(BankedProblem problem, int record) {
    LongSummaryStatistics costs =
        IntStream.of(problem.permittedBanks(record))
            .mapToLong(bank -> problem.banks().get(bank).cost())
            .summaryStatistics();
    return costs.getMax() - costs.getMin();
  }
}
