package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Improvements of a plan by moves: a record moves to a cheaper bank, into a gap or in exchange for
 * records of less value.
 *
 * <p>Records with gaps in their lifetimes occupy their bytes throughout. Pinned records stay.
 */
final class BankExchange {

  /** The number of comparisons of two records after which the improvements end. */
  private static final long MAX_COMPARISONS = 200_000_000L;

  private static final long COMPARISONS_PER_NODE = 64;

  private static final long NONE = -1;

  private final BankedProblem problem;
  private final List<TensorUsageRecord> records;
  private final int[] byCost;
  private final BankedLimit limit;
  private final LiveRecords live;
  private final int[] banks;
  private final long[] offsets;
  private long comparisons;

  BankExchange(BankedProblem problem, BankedLimit limit, BankedAssignment plan) {
    this.problem = problem;
    byCost = BankRelaxation.byCost(problem);
    this.limit = limit;
    records = problem.problem().records();
    live = new LiveRecords(records);
    banks = plan.banks();
    offsets = plan.offsets();
  }

  /** {@return the plan after all moves that lower its cost} */
  BankedAssignment improved() {
    int[] byValue =
        IndexOrder.descending(
            banks.length,
            i -> {
              double tasks = (double) records.get(i).lastTask() - records.get(i).firstTask() + 1;
              return (long) (1e6 * (1 + problem.reads(i)) / tasks);
            });
    boolean hasMoved = true;
    while (hasMoved && !isOver()) {
      hasMoved = false;
      for (int i : byValue) {
        if (!isOver()) {
          hasMoved |= moveToCheaper(i);
        }
      }
    }
    return BankedAssignment.of(problem, banks, offsets);
  }

  private boolean isOver() {
    return comparisons > MAX_COMPARISONS || limit.isSpent();
  }

  private long cost(int record, int bank) {
    return problem.movedBytes(record) * problem.banks().get(bank).cost();
  }

  private boolean moveToCheaper(int record) {
    if (records.get(record).pinnedOffset().isPresent()) {
      return false;
    }
    for (int bank : byCost) {
      if (cost(record, bank) >= cost(record, banks[record])) {
        return false;
      }
      if (problem.mayBeIn(bank, record) && (moveToGap(record, bank) || exchange(record, bank))) {
        return true;
      }
    }
    return false;
  }

  private boolean moveToGap(int record, int bank) {
    long offset = gap(record, bank);
    if (offset == NONE) {
      return false;
    }
    banks[record] = bank;
    offsets[record] = offset;
    return true;
  }

  /** {@return the records of a bank that are live at the same time as a record, by offset} */
  private int[] conflicting(int record, int bank) {
    int[] found = live.with(record);
    comparisons += found.length;
    limit.countNodes(found.length / COMPARISONS_PER_NODE);
    int count = 0;
    for (int i : found) {
      if (banks[i] == bank && i != record && records.get(i).bytes() > 0) {
        found[count++] = i;
      }
    }
    int[] unsorted = found;
    int[] order = IndexOrder.ascending(count, k -> offsets[unsorted[k]]);
    for (int k = 0; k < order.length; k++) {
      order[k] = unsorted[order[k]];
    }
    return order;
  }

  /** {@return the start of the smallest gap of a bank that holds a record, or NONE} */
  private long gap(int record, int bank) {
    long bytes = records.get(record).bytes();
    long alignment = problem.alignmentIn(bank, records.get(record));
    long free = 0;
    long best = NONE;
    long bestGap = Long.MAX_VALUE;
    for (int i : conflicting(record, bank)) {
      long gap = offsets[i] - free;
      if (gap >= bytes && gap < bestGap) {
        best = free;
        bestGap = gap;
      }
      free = Math.max(free, Alignment.up(offsets[i] + records.get(i).bytes(), alignment));
    }
    return best == NONE && problem.banks().get(bank).holds(free + bytes) ? free : best;
  }

  /** Moves a record to a bank in place of others of less value; {@return true if it did} */
  private boolean exchange(int record, int bank) {
    long gain = cost(record, banks[record]) - cost(record, bank);
    long bytes = records.get(record).bytes();
    long alignment = problem.alignmentIn(bank, records.get(record));
    int[] conflicting = conflicting(record, bank);
    long bestGain = 0;
    long bestOffset = NONE;
    for (int k = -1; k < conflicting.length; k++) {
      long offset =
          k < 0
              ? 0
              : Alignment.up(
                  offsets[conflicting[k]] + records.get(conflicting[k]).bytes(), alignment);
      if (problem.banks().get(bank).holds(offset + bytes)) {
        long left = gain;
        for (int i : conflicting) {
          comparisons++;
          if (overlaps(i, offset, bytes)) {
            left -= leastLoss(i, bank);
          }
          if (left <= bestGain) {
            break;
          }
        }
        if (left > bestGain) {
          bestGain = left;
          bestOffset = offset;
        }
      }
    }
    return bestOffset != NONE && exchange(record, bank, bestOffset, conflicting, gain);
  }

  private boolean overlaps(int record, long offset, long bytes) {
    return offsets[record] < offset + bytes
        && offset < offsets[record] + records.get(record).bytes();
  }

  /** {@return the smallest cost of moving a record out of a bank, if the other banks had room} */
  private long leastLoss(int record, int bank) {
    if (records.get(record).pinnedOffset().isPresent()) {
      return Long.MAX_VALUE / 2;
    }
    for (int other : byCost) {
      if (other != bank
          && cost(record, other) >= cost(record, bank)
          && problem.mayBeIn(other, record)) {
        return cost(record, other) - cost(record, bank);
      }
    }
    return Long.MAX_VALUE / 2;
  }

  /** Exchanges records if the others find gaps and the cost falls; {@return true if it did} */
  private boolean exchange(int record, int bank, long offset, int[] conflicting, long gain) {
    int oldBank = banks[record];
    long oldOffset = offsets[record];
    List<Integer> evicted = new ArrayList<>();
    List<Long> oldOffsets = new ArrayList<>();
    for (int i : conflicting) {
      if (overlaps(i, offset, records.get(record).bytes())) {
        evicted.add(i);
        oldOffsets.add(offsets[i]);
      }
    }
    banks[record] = bank;
    offsets[record] = offset;
    long left = gain;
    for (int k = 0; k < evicted.size() && left > 0; k++) {
      left -= evict(evicted.get(k), bank);
    }
    if (left > 0) {
      return true;
    }
    banks[record] = oldBank;
    offsets[record] = oldOffset;
    for (int k = 0; k < evicted.size(); k++) {
      banks[evicted.get(k)] = bank;
      offsets[evicted.get(k)] = oldOffsets.get(k);
    }
    return false;
  }

  /** Moves a record out of a bank; {@return the cost, or a very large number if it cannot} */
  private long evict(int record, int bank) {
    for (int other : byCost) {
      if (other != bank && problem.mayBeIn(other, record)) {
        long offset = gap(record, other);
        if (offset != NONE) {
          banks[record] = other;
          offsets[record] = offset;
          return cost(record, other) - cost(record, bank);
        }
      }
    }
    return Long.MAX_VALUE / 2;
  }
}
