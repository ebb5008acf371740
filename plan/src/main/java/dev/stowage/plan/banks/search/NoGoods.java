package dev.stowage.plan.banks.search;

import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.search.BankPlacements.NoPlace;
import dev.stowage.plan.banks.search.BankPlacements.Placement;
import dev.stowage.plan.base.IndexOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntToLongFunction;

/** Sets of records that do not fit into a bank together. */
final class NoGoods {

  private static final int MAX_SETS = 2_000;

  private final BankedProblem problem;
  private final BankPlacements placements;
  private final BankedLimit limit;
  private final List<List<BitSet>> sets = new ArrayList<>();
  private final List<List<BitSet>> assumed = new ArrayList<>();

  NoGoods(BankedProblem problem, BankPlacements placements, BankedLimit limit) {
    this.problem = problem;
    this.placements = placements;
    this.limit = limit;
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      sets.add(new ArrayList<>());
      assumed.add(new ArrayList<>());
    }
  }

  /** {@return the sets of a bank that are proved not to fit} */
  List<BitSet> of(int bank) {
    return sets.get(bank);
  }

  /** {@return the sets of a bank that may fit, but are excluded until {@link #forgetAssumed}} */
  List<BitSet> assumed(int bank) {
    return assumed.get(bank);
  }

  /** {@return the placement of a set} */
  Placement place(int bank, BitSet records) {
    for (BitSet set : sets.get(bank)) {
      if (isSubset(set, records)) {
        return new NoPlace(set);
      }
    }
    return placements.of(bank, records);
  }

  /** {@return true if some records are known not to fit into a bank} */
  boolean exclude(int bank, BitSet records) {
    return sets.get(bank).stream().anyMatch(set -> isSubset(set, records));
  }

  private static boolean isSubset(BitSet set, BitSet of) {
    BitSet rest = (BitSet) set.clone();
    rest.andNot(of);
    return rest.isEmpty();
  }

  /**
   * Adds a small part of a set that does not fit into a bank.
   *
   * <p>A part of the tasks comes first, by binary search for its end and its start: if some records
   * do not fit, no larger set does. Then, single records are left out, the smallest first.
   *
   * @return a known part that does not fit
   */
  BitSet learn(int bank, BitSet records) {
    for (BitSet set : sets.get(bank)) {
      if (isSubset(set, records)) {
        return set;
      }
    }
    List<TensorUsageRecord> all = problem.problem().records();
    BitSet part = firstPart(bank, sorted(records, i -> all.get(i).firstTask()));
    part = firstPart(bank, sorted(part, i -> -all.get(i).lastTask()));
    for (int i : sorted(part, i -> all.get(i).bytes())) {
      part.clear(i);
      if (limit.isSpent() || !(placements.of(bank, part) instanceof NoPlace)) {
        part.set(i);
      }
    }
    if (sets.get(bank).size() < MAX_SETS) {
      sets.get(bank).add(part);
    }
    return part;
  }

  /** {@return the number of all sets} */
  int count() {
    return sets.stream().mapToInt(List::size).sum() + assumed.stream().mapToInt(List::size).sum();
  }

  /** Excludes a set although it may fit: the caller keeps the bound of its plans. */
  void assume(int bank, BitSet records) {
    assumed.get(bank).add((BitSet) records.clone());
  }

  /** Permits the sets that may fit again, and searches their placements with more nodes. */
  void forgetAssumed(long nodesFactor) {
    assumed.forEach(List::clear);
    placements.raiseNodeLimit(nodesFactor);
  }

  private static int[] sorted(BitSet records, IntToLongFunction key) {
    int[] members = records.stream().toArray();
    int[] order = IndexOrder.ascending(members.length, k -> key.applyAsLong(members[k]));
    for (int k = 0; k < order.length; k++) {
      order[k] = members[order[k]];
    }
    return order;
  }

  /** {@return the shortest known start of a list that does not fit, which all of it does not} */
  private BitSet firstPart(int bank, int[] list) {
    int fits = 0;
    int fails = list.length;
    while (fits + 1 < fails && !limit.isSpent()) {
      int middle = (fits + fails) >>> 1;
      if (placements.of(bank, start(list, middle)) instanceof NoPlace) {
        fails = middle;
      } else {
        fits = middle;
      }
    }
    return start(list, fails);
  }

  private static BitSet start(int[] list, int count) {
    BitSet start = new BitSet();
    for (int k = 0; k < count; k++) {
      start.set(list[k]);
    }
    return start;
  }
}
