package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import java.util.List;

/**
 * The planner that fills the fastest bank with the largest records.
 *
 * <p>Pinned records are placed first, then records that are tied to a bank, then all others, each
 * group by descending size, and records of equal size by ascending index. A record takes the first
 * bank in which {@link dev.stowage.plan.strategy.MemoryStrategy#GREEDY_BY_SIZE} places it within
 * the capacity. From the planner for several banks of ExecuTorch (2026), which has no pinned
 * records.
 */
final class BankedGreedy {

  /** About ten microseconds. */
  private static final int STEPS_PER_RECORD = 10_000;

  private BankedGreedy() {}

  /**
   * {@return the plan}
   *
   * @throws BankShortageException if a record fits into no bank
   */
  static BankedAssignment plan(BankedProblem problem) {
    return plan(problem, new StepCounter(() -> false));
  }

  /**
   * {@return the plan}
   *
   * @param steps counts the work
   * @throws BankShortageException if a record fits into no bank
   * @throws java.util.concurrent.CancellationException if {@code steps} is stopped
   */
  static BankedAssignment plan(BankedProblem problem, StepCounter steps) {
    BankFiller filler = new BankFiller(problem);
    for (int record : order(problem)) {
      place(record, problem, filler);
      steps.check(STEPS_PER_RECORD);
    }
    return filler.assignment();
  }

  private static void place(int record, BankedProblem problem, BankFiller filler) {
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      if (filler.tryPlace(record, bank)) {
        return;
      }
    }
    throw filler.shortage(record);
  }

  private static int[] order(BankedProblem problem) {
    List<TensorUsageRecord> records = problem.problem().records();
    int[] bySize = IndexOrder.descending(records.size(), i -> records.get(i).bytes());
    int[] byGroup =
        IndexOrder.ascending(bySize.length, k -> group(problem, bySize[k], records.get(bySize[k])));
    for (int k = 0; k < byGroup.length; k++) {
      byGroup[k] = bySize[byGroup[k]];
    }
    return byGroup;
  }

  private static long group(BankedProblem problem, int record, TensorUsageRecord data) {
    if (data.pinnedOffset().isPresent()) {
      return 0;
    }
    return problem.tiedBank(record).isPresent() ? 1 : 2;
  }
}
