package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.fit.OccupancyIndex;
import dev.stowage.plan.text.Message;
import dev.stowage.plan.time.TaskLoad;
import dev.stowage.plan.time.TaskRanks;
import java.util.ArrayList;
import java.util.List;

/**
 * Fills banks with one record after the other, each at the smallest sufficient gap.
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

  /**
   * Places a record in the cheapest bank with room for it; among banks of equal cost, in the first.
   *
   * @throws BankShortageException if there is no such bank
   */
  void place(int record) {
    int[] permitted = problem.permittedBanks(record);
    for (int k : IndexOrder.ascending(permitted.length, k -> cost(permitted[k]))) {
      if (tryPlace(record, permitted[k])) {
        return;
      }
    }
    throw shortage(record);
  }

  private long cost(int bank) {
    return problem.banks().get(bank).cost();
  }

  private boolean tryPlace(int record, int bank) {
    long offset = offset(record, bank);
    TensorUsageRecord data = problem.problem().records().get(record);
    if (offset + data.bytes() > problem.banks().get(bank).bytes().orElse(Long.MAX_VALUE)) {
      return false;
    }
    if (data.bytes() > 0) {
      int first = ranks.ofFirst(data.firstTask());
      int last = ranks.ofLast(data.lastTask());
      placed.get(bank).occupy(first, last, offset, offset + data.bytes());
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
    int first = ranks.ofFirst(data.firstTask());
    int last = ranks.ofLast(data.lastTask());
    long alignment = problem.alignmentIn(bank, data);
    return placed.get(bank).tightestGap(first, last, data.bytes(), alignment);
  }

  /** {@return the reason that a record fits into no bank} */
  BankShortageException shortage(int record) {
    List<String> reasons = new ArrayList<>();
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      if (problem.tiedBank(record).orElse(bank) == bank) {
        reasons.add(shortage(record, bank));
      }
    }
    long excess = TaskLoad.bytes(problem.problem());
    for (MemoryBank bank : problem.banks()) {
      excess -= Math.min(excess, bank.bytes().orElse(excess));
    }
    boolean isProved = excess > 0 || problem.permittedBanks(record).length == 0;
    TensorUsageRecord data = problem.problem().records().get(record);
    String message =
        Message.of(
            "%s of %d bytes fits into no bank%s: %s; %s",
            data.label(record),
            data.bytes(),
            problem.tiedBank(record).isPresent() ? " that it may be in" : "",
            String.join(", ", reasons),
            isProved
                ? "proved: no plan fits"
                : "another division may fit: tie records to banks, or enlarge a bank");
    return new BankShortageException(message, isProved);
  }

  private String shortage(int record, int bank) {
    TensorUsageRecord data = problem.problem().records().get(record);
    String name = problem.banks().get(bank).name();
    long alignment = problem.alignmentIn(bank, data);
    long pinned = data.pinnedOffset().orElse(0);
    if (pinned % alignment != 0) {
      return Message.of(
          "%s has no offset %d, which is not a multiple of %d", name, pinned, alignment);
    }
    long bytes = problem.banks().get(bank).bytes().orElseThrow();
    long missing = offset(record, bank) + data.bytes() - bytes;
    return Message.of("%s of %d bytes lacks %d", name, bytes, missing);
  }

  /** {@return the assignment, after all records are placed} */
  BankedAssignment assignment() {
    return BankedAssignment.of(problem, banks, offsets);
  }
}
