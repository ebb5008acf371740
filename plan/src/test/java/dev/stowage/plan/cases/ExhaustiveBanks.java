package dev.stowage.plan.cases;

import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.MemoryBank;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/** The cheapest plan of a small problem with banks, by enumeration of all assignments. */
public final class ExhaustiveBanks {

  private final BankedProblem problem;
  private final ToLongFunction<PlanProblem> smallestArena;
  private final Map<List<Integer>, Boolean> fitting = new HashMap<>();
  private final int[] banks;
  private long best = Long.MAX_VALUE;

  private ExhaustiveBanks(BankedProblem problem, ToLongFunction<PlanProblem> smallestArena) {
    this.problem = problem;
    this.smallestArena = smallestArena;
    banks = new int[problem.recordCount()];
  }

  /**
   * {@return the smallest cost; empty if there is no plan}
   *
   * @param problem the records and the banks
   * @param smallestArena the size of the smallest arena of the records of one bank
   */
  public static OptionalLong cost(
      BankedProblem problem, ToLongFunction<PlanProblem> smallestArena) {
    ExhaustiveBanks search = new ExhaustiveBanks(problem, smallestArena);
    search.assign(0, 0);
    return search.best == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(search.best);
  }

  private void assign(int record, long cost) {
    if (record == banks.length) {
      if (cost < best && fits()) {
        best = cost;
      }
      return;
    }
    TensorUsageRecord data = problem.problem().records().get(record);
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      if (problem.tiedBank(record).orElse(bank) == bank) {
        banks[record] = bank;
        long moved = data.bytes() * (1 + problem.reads(record));
        assign(record + 1, cost + moved * problem.banks().get(bank).cost());
      }
    }
  }

  private boolean fits() {
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      List<Integer> key = new ArrayList<>();
      key.add(-1 - bank);
      for (int i = 0; i < banks.length; i++) {
        if (banks[i] == bank) {
          key.add(i);
        }
      }
      int current = bank;
      if (!fitting.computeIfAbsent(key, k -> fits(current, k.subList(1, k.size())))) {
        return false;
      }
    }
    return true;
  }

  private boolean fits(int index, List<Integer> members) {
    MemoryBank bank = problem.banks().get(index);
    PlanProblem all = problem.problem();
    List<TensorUsageRecord> records = members.stream().map(i -> all.records().get(i)).toList();
    long alignment =
        ExhaustivePlans.alignment(
            all, TensorUsageRecord.of(0, 0, 0).withAlignment(bank.alignment()));
    for (TensorUsageRecord record : records) {
      if (record.pinnedOffset().orElse(0) % alignment != 0) {
        return false;
      }
    }
    if (bank.bytes().isEmpty()) {
      return true;
    }
    long end = records.stream().mapToLong(TensorUsageRecord::bytes).max().orElse(0);
    PlanProblem inBank = all.subset(members).withAlignment(alignment);
    long bytes = Math.max(end, smallestArena.applyAsLong(inBank));
    return bytes <= bank.bytes().getAsLong();
  }
}
