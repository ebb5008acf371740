package dev.stowage.plan.banks.search;

import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.banks.search.BankPlacements.NoPlace;
import dev.stowage.plan.banks.search.BankPlacements.Placed;
import dev.stowage.plan.banks.search.BankPlacements.Placement;
import dev.stowage.plan.banks.search.BankPlacements.Unknown;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Sweeps that are repeated until their cheapest banks have a placement.
 *
 * <p>Each sweep finds the cheapest banks by live bytes. If the records of a bank do not fit into
 * it, a part of them becomes a no-good, and some of them move to the next bank, which often leads
 * to a plan that is nearly as cheap.
 */
final class BankSweeps {

  /*
   * A sweep excludes no plan that costs less than the best one, except for plans whose bound is in
   * `unresolvedCost`. Its result is therefore a lower bound.
   */

  private static final int FIRST_STATES = 1 << 8;
  private static final int MAX_STATES = 1 << 14;
  private static final int STATES_FACTOR = 8;
  private static final long NODES_FACTOR = 8;

  /** The states of all steps of a sweep take five bytes each. */
  private static final int MAX_STATES_OF_ALL_STEPS = 1 << 24;

  private final BankedProblem problem;
  private final BankRelaxation relaxation;
  private final NoGoods noGoods;
  private final BankRounding rounding;
  private final BankedLimit limit;
  private final long rootCost;
  private final long[] permitted;
  private Optional<BankedAssignment> best;
  private long lowerCost;
  private long unresolvedCost = Long.MAX_VALUE;
  private boolean isComplete;

  /**
   * Creates the sweeps.
   *
   * @param rootCost a lower bound
   * @param best the cheapest known plan
   */
  BankSweeps(
      BankedProblem problem,
      BankRelaxation relaxation,
      NoGoods noGoods,
      BankedLimit limit,
      long rootCost,
      Optional<BankedAssignment> best) {
    this.problem = problem;
    this.relaxation = relaxation;
    this.noGoods = noGoods;
    rounding = new BankRounding(problem);
    this.limit = limit;
    this.rootCost = rootCost;
    this.best = best;
    lowerCost = rootCost;
    permitted = new long[problem.recordCount()];
    for (int i = 0; i < permitted.length; i++) {
      for (int bank = 0; bank < problem.banks().size(); bank++) {
        permitted[i] |= problem.mayBeIn(bank, i) ? 1L << bank : 0;
      }
    }
  }

  /** {@return the cheapest known plan} */
  Optional<BankedAssignment> best() {
    return best;
  }

  /** {@return the lower bound that is proved} */
  long lowerCost() {
    return lowerCost;
  }

  /** {@return true if no plan is cheaper than the best one, except for unresolved ones} */
  boolean isComplete() {
    return isComplete;
  }

  /** {@return true if placements reached their limits, so that cheaper plans may exist} */
  boolean hasUnresolved() {
    return unresolvedCost < bestCost();
  }

  /** {@return the banks that each record has in plans that are cheaper than the best one} */
  long[] permitted() {
    return permitted.clone();
  }

  private long bestCost() {
    return best.map(BankedAssignment::cost).orElse(Long.MAX_VALUE);
  }

  private long cutoff() {
    return best.isEmpty() ? Long.MAX_VALUE : bestCost() - relaxation.costStep() + 1;
  }

  /** Sweeps until the end, a limit, or the largest number of states. */
  void run() {
    for (int i = 0; i < permitted.length; i++) {
      relaxation.permit(i, permitted[i]);
    }
    if (limit.isSpent()) {
      return;
    }
    int[] preferred = new int[permitted.length];
    Arrays.setAll(preferred, i -> relaxation.preferredBank(i, permitted[i]));
    rounding.plan(preferred).ifPresent(this::improve);
    permitBelowCutoff();
    int states = FIRST_STATES;
    while (!limit.isSpent() && !isComplete) {
      BankSweep sweep = new BankSweep(problem, relaxation, permitted);
      int maxStates =
          Math.min(MAX_STATES, MAX_STATES_OF_ALL_STEPS / Math.max(1, sweep.stepCount()));
      if (!sweep.isSupported() || maxStates < FIRST_STATES) {
        return;
      }
      states = Math.min(states, maxStates);
      boolean canRepeat = sweep(sweep, states, states == maxStates);
      if (isComplete && hasUnresolved()) {
        resolve();
      } else if (!canRepeat) {
        if (states == maxStates) {
          return;
        }
        states *= STATES_FACTOR;
      }
    }
  }

  /** Searches the placements that reached their limits again, with more nodes. */
  private void resolve() {
    unresolvedCost = Long.MAX_VALUE;
    isComplete = false;
    noGoods.forgetAssumed(NODES_FACTOR);
  }

  /**
   * Sweeps once.
   *
   * @param hasMostStates true if no later sweep keeps more states; before, only exact results are
   *     placed, since more states improve the bound
   * @return true if the next sweep with as many states can have another result
   */
  private boolean sweep(BankSweep sweep, int states, boolean hasMostStates) {
    long cutoff = cutoff();
    BankSweep.Result result = sweep.run(noGoods, cutoff, states, limit);
    boolean isCovered = result.lowerCost() >= cutoff;
    long bound = isCovered ? bestCost() : result.lowerCost();
    lowerCost = Math.max(lowerCost, Math.min(bound, Math.min(unresolvedCost, bestCost())));
    if (isCovered) {
      isComplete = true;
      return true;
    }
    if (result.banks().isEmpty()) {
      return false;
    }
    int known = noGoods.count();
    long before = bestCost();
    rounding.plan(result.banks().get()).ifPresent(this::improve);
    boolean isExact = result.lowerCost() == result.cost();
    if (isExact || hasMostStates) {
      place(result);
    }
    if (bestCost() < before) {
      lowerCost = Math.max(lowerCost, Math.min(bound, Math.min(unresolvedCost, bestCost())));
      permitBelowCutoff();
    }
    isComplete |= bound >= cutoff();
    return noGoods.count() > known || (isExact && bestCost() < before);
  }

  /** Forbids banks that no better plan uses. */
  private void permitBelowCutoff() {
    if (best.isEmpty()) {
      return;
    }
    long slack = cutoff() - rootCost;
    for (int i = 0; i < permitted.length; i++) {
      long banks = relaxation.banksBelow(i, permitted[i], slack);
      if (banks == 0) {
        lowerCost = Math.max(lowerCost, Math.min(unresolvedCost, bestCost()));
        isComplete = true;
        return;
      }
      permitted[i] = banks;
    }
  }

  /** Places the records of a sweep; those that do not fit move to dearer banks. */
  private void place(BankSweep.Result result) {
    List<BitSet> members = new ArrayList<>();
    List<Placement> placed = new ArrayList<>();
    for (int bank = 0; bank < problem.banks().size(); bank++) {
      members.add(new BitSet());
      placed.add(new Unknown(new BitSet()));
    }
    int[] banks = result.banks().orElseThrow();
    for (int i = 0; i < banks.length; i++) {
      members.get(banks[i]).set(i);
    }
    for (int bank : relaxation.byCost()) {
      BitSet set = members.get(bank);
      while (!(placed.get(bank) instanceof Placed)) {
        placed.set(bank, noGoods.place(bank, set));
        BitSet part =
            switch (placed.get(bank)) {
              case Placed it -> new BitSet();
              case NoPlace it -> noGoods.learn(bank, it.part());
              case Unknown it -> it.part();
            };
        if (placed.get(bank) instanceof Unknown && !limit.isSpent() && isOf(banks, bank, part)) {
          unresolvedCost = Math.min(unresolvedCost, result.lowerCost());
          noGoods.assume(bank, part);
        }
        if (!part.isEmpty() && !moveOne(bank, part, members)) {
          return;
        }
      }
    }
    improve(BankPlacements.assignment(problem, placed));
  }

  /** Improves a plan, and keeps it if it is better than the best one. */
  private void improve(BankedAssignment plan) {
    BankedAssignment improved = new BankExchange(problem, limit, plan).improved();
    if (improved.cost() < bestCost()) {
      best = Optional.of(improved);
    }
  }

  /** {@return true if a sweep assigned all records of a set to a bank} */
  private static boolean isOf(int[] banks, int bank, BitSet set) {
    return set.stream().allMatch(i -> banks[i] == bank);
  }

  /** Moves the record of a set whose move costs least; {@return false if none can move} */
  private boolean moveOne(int bank, BitSet part, List<BitSet> members) {
    OptionalInt moved = cheapestMove(bank, part);
    if (moved.isEmpty() || limit.isOver()) {
      return false;
    }
    members.get(bank).clear(moved.getAsInt());
    members.get(nextBank(bank, moved.getAsInt())).set(moved.getAsInt());
    return true;
  }

  /** {@return the record whose move to its next bank costs least; empty if none can move} */
  private OptionalInt cheapestMove(int bank, BitSet records) {
    OptionalInt cheapest = OptionalInt.empty();
    long least = Long.MAX_VALUE;
    for (int i : records.stream().toArray()) {
      int next = nextBank(bank, i);
      if (next >= 0) {
        long difference = problem.banks().get(next).cost() - problem.banks().get(bank).cost();
        long cost = difference * problem.movedBytes(i);
        if (cost < least) {
          least = cost;
          cheapest = OptionalInt.of(i);
        }
      }
    }
    return cheapest;
  }

  /** {@return the cheapest bank after a bank that may hold a record, or -1} */
  private int nextBank(int bank, int record) {
    int[] byCost = relaxation.byCost();
    for (int p = relaxation.position(bank) + 1; p < byCost.length; p++) {
      if (problem.mayBeIn(byCost[p], record)) {
        return byCost[p];
      }
    }
    return -1;
  }
}
