package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.base.StepCounter;
import dev.stowage.plan.fit.RankLoad;
import dev.stowage.plan.fit.SkylineFit;
import dev.stowage.plan.time.TaskRanks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;

/**
 * A planner that fills one bank after the other, the cheapest first: the records of most moved
 * bytes for each byte and task whose sum stays within the capacity at each task are placed by
 * {@link SkylineFit}, and those that end above the capacity go to the next bank.
 *
 * <p>Records of equal value are taken by index. Usually O(n log n) for each bank.
 */
final class BankedPacking {

  private static final double VALUE_SCALE = 1e6;

  private final BankedProblem problem;
  private final List<TensorUsageRecord> records;
  private final TaskRanks ranks;
  private final int[] banks;
  private final long[] offsets;

  private BankedPacking(BankedProblem problem) {
    this.problem = problem;
    records = problem.problem().records();
    ranks = TaskRanks.of(problem.problem());
    banks = new int[records.size()];
    offsets = new long[records.size()];
  }

  /** {@return the plan; empty if a record fits into no bank or is pinned, or a limit is reached} */
  static Optional<BankedAssignment> plan(BankedProblem problem, BankedLimit limit) {
    if (problem.problem().hasPins()) {
      return Optional.empty();
    }
    try {
      return new BankedPacking(problem).place(new StepCounter(limit::isSpent));
    } catch (CancellationException e) {
      return Optional.empty();
    }
  }

  private Optional<BankedAssignment> place(StepCounter steps) {
    int[] left = IndexOrder.descending(records.size(), this::value);
    for (int bank : BankRelaxation.byCost(problem)) {
      left = fill(bank, left, steps);
    }
    return left.length == 0
        ? Optional.of(BankedAssignment.of(problem, banks, offsets))
        : Optional.empty();
  }

  private long value(int record) {
    TensorUsageRecord data = records.get(record);
    double tasks = (double) data.lastTask() - data.firstTask() + 1;
    return (long) (VALUE_SCALE * ((1 + problem.reads(record)) / tasks));
  }

  /** Fills a bank and {@return the records that are left, in the same order} */
  private int[] fill(int bank, int[] candidates, StepCounter steps) {
    List<Integer> chosen = chosen(bank, candidates);
    OffsetsAssignment packed = SkylineFit.plan(problem.inBank(bank, chosen), steps);
    boolean[] isIn = new boolean[records.size()];
    for (int k = 0; k < chosen.size(); k++) {
      int record = chosen.get(k);
      long bytes = records.get(record).bytes();
      if (problem.banks().get(bank).holds(packed.offset(k) + bytes)) {
        isIn[record] = true;
        banks[record] = bank;
        offsets[record] = packed.offset(k);
      }
    }
    return Arrays.stream(candidates).filter(record -> !isIn[record]).toArray();
  }

  /** {@return the first candidates whose sum is within the capacity at each task, ascending} */
  private List<Integer> chosen(int bank, int[] candidates) {
    OptionalLong capacity = problem.banks().get(bank).bytes();
    RankLoad load = new RankLoad(new long[ranks.count()]);
    List<Integer> chosen = new ArrayList<>();
    for (int record : candidates) {
      TensorUsageRecord data = records.get(record);
      int first = ranks.ofFirst(data.firstTask());
      int last = ranks.ofLast(data.lastTask());
      if (problem.mayBeIn(bank, record)
          && (capacity.isEmpty()
              || load.heaviestBytes(first, last) <= capacity.getAsLong() - data.bytes())) {
        load.add(first, last, data.bytes());
        chosen.add(record);
      }
    }
    chosen.sort(null);
    return chosen;
  }
}
