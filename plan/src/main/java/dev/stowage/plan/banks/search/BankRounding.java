package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.base.IndexOrder;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToLongFunction;

/** Plans that follow preferred banks as far as the records fit. */
final class BankRounding {

  /** Keys are numbers that fit into a long. */
  private static final double MAX_AREA = 4e18;

  private final BankedProblem problem;
  private final int[] byCost;

  BankRounding(BankedProblem problem) {
    this.problem = problem;
    byCost = BankRelaxation.byCost(problem);
  }

  /** {@return the cheaper plan of two orders; empty if a record fits into no bank} */
  Optional<BankedAssignment> plan(int[] preferred) {
    List<TensorUsageRecord> records = problem.problem().records();
    Optional<BankedAssignment> bySize = plan(preferred, i -> records.get(i).bytes());
    Optional<BankedAssignment> byArea =
        plan(
            preferred,
            i -> {
              TensorUsageRecord record = records.get(i);
              double tasks = (double) record.lastTask() - record.firstTask() + 1;
              return (long) Math.min(MAX_AREA, record.bytes() * tasks);
            });
    return bySize.isEmpty() || (byArea.isPresent() && byArea.get().cost() < bySize.get().cost())
        ? byArea
        : bySize;
  }

  /** Fills the banks, the cheapest first, each with its records by descending key. */
  private Optional<BankedAssignment> plan(int[] preferred, IntToLongFunction key) {
    int[] position = new int[problem.banks().size()];
    for (int p = 0; p < byCost.length; p++) {
      position[byCost[p]] = p;
    }
    int[] byKey = IndexOrder.descending(preferred.length, key);
    int[] order =
        IndexOrder.ascending(byKey.length, k -> group(byKey[k], position[preferred[byKey[k]]]));
    BankFiller filler = new BankFiller(problem);
    for (int k : order) {
      if (!fill(byKey[k], preferred[byKey[k]], filler)) {
        return Optional.empty();
      }
    }
    return Optional.of(filler.assignment());
  }

  /** {@return the group of a record: pinned ones, tied ones, and then those of each bank} */
  private long group(int record, int position) {
    if (problem.problem().records().get(record).pinnedOffset().isPresent()) {
      return -2;
    }
    return problem.tiedBank(record).isPresent() ? -1 : position;
  }

  private boolean fill(int record, int preferred, BankFiller filler) {
    if (filler.tryPlace(record, preferred)) {
      return true;
    }
    for (int bank : byCost) {
      if (filler.tryPlace(record, bank)) {
        return true;
      }
    }
    return false;
  }
}
