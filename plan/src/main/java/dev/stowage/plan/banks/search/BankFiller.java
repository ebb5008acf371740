package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.fit.OccupancyIndex;
import dev.stowage.plan.time.TaskRanks;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Banks that are filled one record after the other, each at the smallest gap that is large enough.
 *
 * <p>Records with gaps in their lifetimes occupy their bytes throughout. Records of no bytes are at
 * offset 0.
 */
final class BankFiller {

  private final BankedProblem problem;
  private final TaskRanks ranks;
  private final List<OccupancyIndex> placed = new ArrayList<>();
  private final int[] banks;
  private final long[] offsets;

  BankFiller(BankedProblem problem) {
    this.problem = problem;
    ranks = TaskRanks.of(problem.problem());
    List<TensorUsageRecord> records = problem.problem().records();
    problem.banks().forEach(bank -> placed.add(new OccupancyIndex(ranks, records)));
    banks = new int[problem.recordCount()];
    offsets = new long[problem.recordCount()];
  }

  /** Places a record in a bank if it stays within the capacity; {@return true if it does} */
  boolean tryPlace(int record, int bank) {
    if (!problem.mayBeIn(bank, record)) {
      return false;
    }
    long offset = offset(record, bank);
    TensorUsageRecord data = problem.problem().records().get(record);
    if (!problem.banks().get(bank).holds(offset + data.bytes())) {
      return false;
    }
    if (data.bytes() > 0) {
      placed
          .get(bank)
          .occupy(
              ranks.ofFirst(data.firstTask()),
              ranks.ofLast(data.lastTask()),
              offset,
              offset + data.bytes());
    }
    banks[record] = bank;
    offsets[record] = offset;
    return true;
  }

  /** {@return the offset that a record would get in a bank without a limit} */
  private long offset(int record, int bank) {
    TensorUsageRecord data = problem.problem().records().get(record);
    if (data.pinnedOffset().isPresent() || data.bytes() == 0) {
      return data.pinnedOffset().orElse(0);
    }
    return placed
        .get(bank)
        .tightestGap(
            ranks.ofFirst(data.firstTask()),
            ranks.ofLast(data.lastTask()),
            data.bytes(),
            problem.alignmentIn(bank, data));
  }

  /** {@return the reason that a record fits into no bank} */
  BankShortageException shortage(int record) {
    TensorUsageRecord data = problem.problem().records().get(record);
    List<OptionalLong> missingBytes = new ArrayList<>();
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      boolean isAllowed =
          problem.tiedBank(record).orElse(bank) == bank
              && data.pinnedOffset().orElse(0) % problem.alignmentIn(bank) == 0;
      long missing =
          isAllowed
              ? offset(record, bank)
                  + data.bytes()
                  - problem.banks().get(bank).bytes().orElse(Long.MAX_VALUE)
              : 0;
      missingBytes.add(missing > 0 ? OptionalLong.of(missing) : OptionalLong.empty());
    }
    return new BankShortageException(problem, record, missingBytes);
  }

  /** {@return the assignment, after all records are placed} */
  BankedAssignment assignment() {
    return BankedAssignment.of(problem, banks, offsets);
  }
}
