package dev.stowage.plan.banks.search;

import dev.stowage.plan.banks.BankedAssignment;
import dev.stowage.plan.banks.BankedProblem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** An exhaustive search for the cheapest banks of all records, by branch and bound. */
final class BankBranching {

  /*
   * A node permits each record a set of banks. Its bound is that of BankRelaxation. Records whose
   * other banks would raise the bound to the cost of the best plan lose these banks. If the relaxation
   * keeps each record in a single bank, its sets of records are placed with OffsetsSearch. A set that
   * does not fit is reduced to a smaller one (a no-good), which no descendant uses again.
   *
   * A node is discarded only if its bound reaches the cost of the best plan, if its records cannot
   * fit, or if the bound is added to `unresolvedCost`.
   *
   * The search is depth first, so that it needs little memory and finds plans early.
   */

  /** Plans are also made by rounding at this many nodes, and then at each node of this interval. */
  private static final int ROUNDING_INTERVAL = 64;

  /** A change of the permitted banks of a record. */
  private record Change(int record, long before) {}

  /** A node with banks that are not tried yet. */
  private static final class Frame {

    private final int record;
    private final long bound;
    private final int changeCount;
    private long untried;

    Frame(int record, long bound, int changeCount, long untried) {
      this.record = record;
      this.bound = bound;
      this.changeCount = changeCount;
      this.untried = untried;
    }
  }

  private final BankedProblem problem;
  private final BankRelaxation relaxation;
  private final BankedLimit limit;
  private final NoGoods noGoods;
  private final BankRounding rounding;
  private final long[] start;
  private final long[] permitted;
  private final List<BitSet> fixed = new ArrayList<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private final Deque<Frame> frames = new ArrayDeque<>();
  private final long costStep;
  private Optional<BankedAssignment> best;
  private long unresolvedCost = Long.MAX_VALUE;
  private long openCost;
  private boolean isComplete;
  private long nodeCount;

  /**
   * Creates a search.
   *
   * @param start the banks that each record may be in, as masks that are not 0
   * @param best the cheapest known plan
   */
  BankBranching(
      BankedProblem problem,
      BankRelaxation relaxation,
      NoGoods noGoods,
      long[] start,
      BankedLimit limit,
      Optional<BankedAssignment> best) {
    this.problem = problem;
    this.relaxation = relaxation;
    this.noGoods = noGoods;
    rounding = new BankRounding(problem);
    this.limit = limit;
    this.start = start;
    this.best = best;
    permitted = new long[problem.recordCount()];
    Arrays.fill(permitted, (1L << problem.banks().size()) - 1);
    problem.banks().forEach(bank -> fixed.add(new BitSet()));
    costStep = relaxation.costStep();
    openCost = Long.MIN_VALUE;
  }

  /** {@return the cheapest plan that is known} */
  Optional<BankedAssignment> best() {
    return best;
  }

  /** {@return true if no node is left} */
  boolean isComplete() {
    return isComplete;
  }

  /** {@return true if placements reached their limits, so that cheaper plans may exist} */
  boolean hasUnresolved() {
    return unresolvedCost < bestCost();
  }

  /**
   * {@return the lower bound that the search proved}
   *
   * @param rootCost the bound of the relaxation
   */
  long lowerCost(long rootCost) {
    long cost = Math.min(bestCost(), unresolvedCost);
    if (!isComplete) {
      cost = Math.min(cost, openCost);
      for (Frame frame : frames) {
        cost = Math.min(cost, frame.bound);
      }
    }
    return Math.max(rootCost, cost);
  }

  private long bestCost() {
    return best.map(BankedAssignment::cost).orElse(Long.MAX_VALUE);
  }

  /** {@return the smallest bound of a node that is discarded} */
  private long cutoff() {
    return best.isEmpty() ? Long.MAX_VALUE : bestCost() - costStep + 1;
  }

  /** Searches until the end or a limit. */
  void run() {
    try {
      for (int i = 0; i < start.length; i++) {
        permit(i, start[i]);
      }
      expand();
      while (backtrack()) {
        if (limit.isSpent()) {
          return;
        }
        enterNext();
        expand();
      }
      isComplete = true;
    } catch (ArithmeticException e) {
      // A bound is too large for a number: openCost is that of the node above.
    }
  }

  private void permit(int record, long banks) {
    if (banks != permitted[record]) {
      changes.push(new Change(record, permitted[record]));
      set(record, banks);
    }
  }

  private void set(int record, long banks) {
    if (Long.bitCount(permitted[record]) == 1) {
      fixed.get(Long.numberOfTrailingZeros(permitted[record])).clear(record);
    }
    permitted[record] = banks;
    if (Long.bitCount(banks) == 1) {
      fixed.get(Long.numberOfTrailingZeros(banks)).set(record);
    }
    relaxation.permit(record, banks);
  }

  private void undoTo(int changeCount) {
    while (changes.size() > changeCount) {
      Change change = changes.pop();
      set(change.record, change.before);
    }
  }

  /** Removes the frames without banks to try; {@return false if none is left} */
  private boolean backtrack() {
    while (!frames.isEmpty()) {
      Frame frame = frames.peek();
      if (frame.untried != 0 && frame.bound < cutoff()) {
        return true;
      }
      undoTo(frame.changeCount);
      frames.pop();
    }
    return false;
  }

  /** Enters the next bank of the last frame. */
  private void enterNext() {
    Frame frame = frames.element();
    undoTo(frame.changeCount);
    openCost = frame.bound;
    int bank = relaxation.preferredBank(frame.record, frame.untried);
    frame.untried &= ~(1L << bank);
    permit(frame.record, 1L << bank);
  }

  /** Expands the current node: adds a frame if some of its plans may be better. */
  private void expand() {
    limit.countNode();
    nodeCount++;
    OptionalLong bound = bound();
    if (bound.isPresent()) {
      branch(bound.getAsLong());
    }
    openCost = Long.MAX_VALUE;
  }

  /** {@return the bound of the current node, after reductions; empty if it can be discarded} */
  private OptionalLong bound() {
    while (true) {
      if (relaxation.isInfeasible()) {
        return OptionalLong.empty();
      }
      long bound = relaxation.lowerCost();
      if (bound >= cutoff()) {
        return OptionalLong.empty();
      }
      Optional<Boolean> reduced = reduce(cutoff() - bound);
      if (reduced.isEmpty()) {
        return OptionalLong.empty();
      }
      if (!reduced.get()) {
        return OptionalLong.of(bound);
      }
    }
  }

  private void branch(long bound) {
    if (nodeCount <= ROUNDING_INTERVAL || nodeCount % ROUNDING_INTERVAL == 0) {
      round();
    }
    OptionalInt record = fractional();
    if (record.isEmpty()) {
      record = place(bound);
    }
    if (record.isPresent() && bound < cutoff()) {
      int i = record.getAsInt();
      frames.push(new Frame(i, bound, changes.size(), permitted[i]));
    }
  }

  /**
   * Removes banks that no better plan of this node uses; {@return true if a record lost one, false
   * if not, and empty if a record has none left}
   */
  private Optional<Boolean> reduce(long slack) {
    boolean hasChanged = false;
    if (best.isPresent()) {
      for (int i = 0; i < permitted.length; i++) {
        if (Long.bitCount(permitted[i]) > 1) {
          long banks = relaxation.banksBelow(i, permitted[i], slack);
          if (banks == 0) {
            return Optional.empty();
          }
          hasChanged |= banks != permitted[i];
          permit(i, banks);
        }
      }
    }
    for (int bank = 0; bank < fixed.size(); bank++) {
      for (BitSet set : noGoods.of(bank)) {
        BitSet rest = (BitSet) set.clone();
        rest.andNot(fixed.get(bank));
        if (rest.isEmpty()) {
          return Optional.empty();
        }
        int last = rest.nextSetBit(0);
        if (rest.nextSetBit(last + 1) < 0 && ((permitted[last] >> bank) & 1) == 1) {
          permit(last, permitted[last] & ~(1L << bank));
          hasChanged = true;
        }
      }
    }
    return Optional.of(hasChanged);
  }

  /** {@return the record with the most bytes that the relaxation divides among banks} */
  private OptionalInt fractional() {
    OptionalInt branch = OptionalInt.empty();
    double most = 0;
    for (int i = 0; i < permitted.length; i++) {
      if (Long.bitCount(permitted[i]) > 1) {
        double weight = relaxation.fraction(i) * (1.0 + problem.movedBytes(i));
        if (weight > most) {
          most = weight;
          branch = OptionalInt.of(i);
        }
      }
    }
    return branch;
  }

  /**
   * Places all records in the banks of the relaxation, and keeps the plan if it is better.
   *
   * @return a record to branch on; empty if the node needs no further search
   */
  private OptionalInt place(long bound) {
    List<BitSet> members = new ArrayList<>();
    problem.banks().forEach(bank -> members.add(new BitSet()));
    for (int i = 0; i < permitted.length; i++) {
      members.get(relaxation.preferredBank(i, permitted[i])).set(i);
    }
    int failed = -1;
    boolean isUnknown = false;
    List<BankPlacements.Placement> placed = new ArrayList<>();
    for (int bank = 0; bank < members.size() && failed < 0; bank++) {
      BankPlacements.Placement placement = noGoods.place(bank, members.get(bank));
      placed.add(placement);
      switch (placement) {
        case BankPlacements.Placed it -> {}
        case BankPlacements.Unknown it -> {
          failed = bank;
          isUnknown = true;
        }
        case BankPlacements.NoPlace it -> {
          failed = bank;
          noGoods.learn(bank, it.part());
        }
      }
    }
    if (failed < 0) {
      take(BankPlacements.assignment(problem, placed));
      return bound >= cutoff() ? OptionalInt.empty() : largestOpen(new BitSet());
    }
    if (noGoods.exclude(failed, fixed.get(failed))) {
      return OptionalInt.empty();
    }
    OptionalInt branch = largestOpen(members.get(failed));
    if (branch.isEmpty()) {
      branch = largestOpen(new BitSet());
    }
    if (branch.isEmpty() && isUnknown) {
      unresolvedCost = Math.min(unresolvedCost, bound);
    }
    return branch;
  }

  /** {@return the largest record with several banks, of some records or, if empty, of all} */
  private OptionalInt largestOpen(BitSet among) {
    OptionalInt largest = OptionalInt.empty();
    long most = -1;
    for (int i = 0; i < permitted.length; i++) {
      if (Long.bitCount(permitted[i]) > 1 && (among.isEmpty() || among.get(i))) {
        long bytes = problem.problem().records().get(i).bytes();
        if (bytes > most) {
          most = bytes;
          largest = OptionalInt.of(i);
        }
      }
    }
    return largest;
  }

  private void take(BankedAssignment plan) {
    if (plan.cost() < bestCost()) {
      best = Optional.of(plan);
    }
  }

  /** Fills the banks as the relaxation does, and keeps the plan if it is better. */
  private void round() {
    int[] preferred = new int[permitted.length];
    Arrays.setAll(preferred, i -> relaxation.preferredBank(i, permitted[i]));
    rounding.plan(preferred).ifPresent(this::take);
  }
}
