package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.cases.ExhaustivePlans;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The planner for several banks of ExecuTorch in its plainest form, without code of the planner.
 */
final class NaiveBankedGreedy {

  private final BankedProblem problem;
  private final int[] banks;
  private final long[] offsets;
  private final List<Integer> placed = new ArrayList<>();

  private NaiveBankedGreedy(BankedProblem problem) {
    this.problem = problem;
    banks = new int[problem.recordCount()];
    offsets = new long[problem.recordCount()];
  }

  /** {@return the plan; empty if a record fits nowhere} */
  static Optional<BankedAssignment> plan(BankedProblem problem) {
    return new NaiveBankedGreedy(problem).plan();
  }

  private Optional<BankedAssignment> plan() {
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < banks.length; i++) {
      order.add(i);
    }
    order.sort(
        Comparator.<Integer>comparingInt(i -> group(i))
            .thenComparingLong(i -> -record(i).bytes())
            .thenComparingInt(i -> i));
    for (int i : order) {
      if (!place(i)) {
        return Optional.empty();
      }
    }
    return Optional.of(BankedAssignment.of(problem, banks, offsets));
  }

  private TensorUsageRecord record(int i) {
    return problem.problem().records().get(i);
  }

  private int group(int i) {
    if (record(i).pinnedOffset().isPresent()) {
      return 0;
    }
    return problem.tiedBank(i).isPresent() ? 1 : 2;
  }

  private boolean place(int i) {
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      long offset = record(i).pinnedOffset().orElseGet(() -> 0L);
      long alignment = alignment(bank, record(i));
      if (record(i).pinnedOffset().isEmpty() && record(i).bytes() > 0) {
        offset = tightest(i, bank, alignment);
      }
      boolean isAllowed =
          problem.tiedBank(i).orElse(bank) == bank
              && offset % alignment == 0
              && offset + record(i).bytes()
                  <= problem.banks().get(bank).bytes().orElse(Long.MAX_VALUE);
      if (isAllowed) {
        banks[i] = bank;
        offsets[i] = offset;
        placed.add(i);
        return true;
      }
    }
    return false;
  }

  private long alignment(int bank, TensorUsageRecord record) {
    long alignment = ExhaustivePlans.alignment(problem.problem(), record);
    long step = alignment;
    while (alignment % problem.banks().get(bank).alignment() != 0) {
      alignment += step;
    }
    return alignment;
  }

  /** {@return the start of the smallest gap between the records in conflict, or their end} */
  private long tightest(int i, int bank, long alignment) {
    List<Integer> inConflict =
        placed.stream()
            .filter(j ->
                banks[j] == bank
                    && record(j).bytes() > 0
                    && record(j).firstTask() <= record(i).lastTask()
                    && record(i).firstTask() <= record(j).lastTask())
            .sorted(Comparator.comparingLong(j -> offsets[j]))
            .toList();
    long free = 0;
    long best = -1;
    long bestGap = Long.MAX_VALUE;
    for (int j : inConflict) {
      long gap = offsets[j] - free;
      if (gap >= record(i).bytes() && gap < bestGap) {
        best = free;
        bestGap = gap;
      }
      free = Math.max(free, ExhaustivePlans.roundUp(offsets[j] + record(j).bytes(), alignment));
    }
    return best >= 0 ? best : free;
  }
}
