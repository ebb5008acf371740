package dev.stowage.plan.banks.search;

import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.base.IndexOrder;
import dev.stowage.plan.search.OffsetsSearch;
import dev.stowage.plan.search.SearchEnd;
import dev.stowage.plan.search.SearchOptions;
import dev.stowage.plan.search.SearchResult;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Placements of sets of records in banks.
 *
 * <p>A set is divided at tasks that none of its records crosses. Each part is searched once.
 */
final class BankPlacements {

  /** The offsets of a set of records, or a part of it that has none. */
  sealed interface Placement {}

  /**
   * The set fits into the bank.
   *
   * @param offsets the offset of each record by its index in the problem
   */
  record Placed(Map<Integer, Long> offsets) implements Placement {}

  /**
   * The search proved that a part of the set does not fit into the bank.
   *
   * @param part the part
   */
  record NoPlace(BitSet part) implements Placement {}

  /**
   * The search ended with a limit.
   *
   * @param part a part for which it found no placement and no proof
   */
  record Unknown(BitSet part) implements Placement {}

  private record Key(int bank, BitSet records) {}

  private static final int MAX_KEPT = 20_000;

  private final BankedProblem problem;
  private final BankedLimit limit;
  private final Map<Key, Placement> kept = new HashMap<>();
  private long nodeLimit;

  /**
   * Creates an empty collection.
   *
   * @param nodeLimit the number of nodes of each search
   */
  BankPlacements(BankedProblem problem, BankedLimit limit, long nodeLimit) {
    this.problem = problem;
    this.limit = limit;
    this.nodeLimit = nodeLimit;
  }

  /** Multiplies the number of nodes of later searches. */
  void raiseNodeLimit(long factor) {
    nodeLimit *= factor;
    kept.values().removeIf(placement -> placement instanceof Unknown);
  }

  /** {@return the placement of a set of records} */
  Placement of(int bank, BitSet records) {
    Map<Integer, Long> offsets = new HashMap<>();
    for (BitSet part : parts(records)) {
      switch (ofPart(bank, part)) {
        case Placed(Map<Integer, Long> placed) -> offsets.putAll(placed);
        case NoPlace none -> {
          return none;
        }
        case Unknown unknown -> {
          return unknown;
        }
      }
    }
    return new Placed(offsets);
  }

  /** {@return the parts of a set, divided at tasks that no record crosses} */
  private List<BitSet> parts(BitSet records) {
    List<TensorUsageRecord> all = problem.problem().records();
    int[] members = records.stream().toArray();
    List<BitSet> parts = new ArrayList<>();
    long lastTask = -1;
    for (int k : IndexOrder.ascending(members.length, k -> all.get(members[k]).firstTask())) {
      TensorUsageRecord record = all.get(members[k]);
      if (record.firstTask() > lastTask) {
        parts.add(new BitSet());
      }
      parts.getLast().set(members[k]);
      lastTask = Math.max(lastTask, record.lastTask());
    }
    return parts;
  }

  private Placement ofPart(int bank, BitSet part) {
    Key key = new Key(bank, part);
    Placement known = kept.get(key);
    if (known == null) {
      known = search(bank, part);
      if (kept.size() >= MAX_KEPT) {
        kept.clear();
      }
      if (!limit.isOver()) {
        kept.put(key, known);
      }
    }
    return known;
  }

  private Placement search(int bank, BitSet part) {
    int[] members = part.stream().toArray();
    PlanProblem inBank = problem.inBank(bank, part.stream().boxed().toList());
    SearchOptions options =
        SearchOptions.defaults()
            .withTimeLimit(limit.remaining())
            .withNodeLimit(Math.min(nodeLimit, limit.remainingNodes()));
    long capacity = problem.banks().get(bank).bytes().orElse(Long.MAX_VALUE);
    OffsetsSearch search = OffsetsSearch.of(inBank, options.withCapacityDecision(capacity));
    SearchResult<OffsetsAssignment> result = limit.run(search);
    if (result.assignment().totalBytes() <= capacity) {
      return placed(members, result.assignment());
    }
    if (result.lowerBoundBytes() > capacity) {
      return new NoPlace(part);
    }
    if (result.end() == SearchEnd.CANCELLED) {
      limit.cancel(); // the thread was interrupted
    }
    return new Unknown(part);
  }

  private static Placed placed(int[] members, OffsetsAssignment assignment) {
    Map<Integer, Long> offsets = new HashMap<>();
    for (int k = 0; k < members.length; k++) {
      offsets.put(members[k], assignment.offset(k));
    }
    return new Placed(offsets);
  }

  /**
   * {@return the plan of sets that fit}
   *
   * @param placed the placement of the set of each bank, which is {@link Placed}
   */
  static BankedAssignment assignment(BankedProblem problem, List<Placement> placed) {
    int[] banks = new int[problem.recordCount()];
    long[] offsets = new long[banks.length];
    for (int bank = 0; bank < placed.size(); bank++) {
      if (placed.get(bank) instanceof Placed(Map<Integer, Long> inBank)) {
        for (Map.Entry<Integer, Long> entry : inBank.entrySet()) {
          banks[entry.getKey()] = bank;
          offsets[entry.getKey()] = entry.getValue();
        }
      }
    }
    return BankedAssignment.of(problem, banks, offsets);
  }
}
