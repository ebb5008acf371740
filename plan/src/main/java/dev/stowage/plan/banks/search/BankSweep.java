package dev.stowage.plan.banks.search;

import dev.stowage.plan.banks.BankedProblem;
import dev.stowage.plan.base.Alignment;
import dev.stowage.plan.base.IndexOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A search for the cheapest banks of all records with regard to the live bytes of each task, but
 * not to offsets, that avoids known no-goods.
 *
 * <p>The search assigns one record after the other, by first task. It is exact unless too many
 * records are live at the same time; then it keeps only the best states, and its lower bound also
 * covers the others.
 */
final class BankSweep {

  /*
   * A state after a record has the banks of all live records, and a bit for each no-good that has
   * begun and not ended: whether all of its records so far are in its bank. Of two equal states, the
   * cheaper one remains. A record may be in a bank if the records that are live at its first task
   * still fit: no later task needs more bytes of records that have begun.
   *
   * The bound of a state is its cost plus the bound of BankLevel for the records to come, with the
   * prices of the relaxation, where the live records take their part of the capacity.
   */

  /**
   * The result of a sweep.
   *
   * @param banks the bank of each record; empty if no state remained
   * @param cost their cost
   * @param lowerCost a lower bound of the cost of all plans that avoid the no-goods, but at most
   *     the cutoff
   */
  record Result(Optional<int[]> banks, long cost, long lowerCost) {}

  /** A step: the record that is assigned, and the changes of the live records before it. */
  private static final class Step {

    private final int record;
    private final int rank;
    private final List<Integer> ending = new ArrayList<>();
    private int[] live = {};

    Step(int record, int rank) {
      this.record = record;
      this.rank = rank;
    }
  }

  private static final int NO_SLOT = -1;

  private final BankedProblem problem;
  private final BankRelaxation relaxation;
  private final long[] permitted;
  private final int bankCount;
  private final int codeBits;
  private final CountedRange[] ranges;
  private final List<Step> steps = new ArrayList<>();
  private final int[] stepOf;
  private final int[] slots;
  private final int slotCount;

  /** The units of each record in each bank, and the capacity of each bank in these units. */
  private final long[][] units;

  private final long[] capacities;

  /** For each level and step: the bound of the savings by all later steps. */
  private final long[][] futureValues;

  /** For each level and rank: the bound of the savings by the capacity from the rank on. */
  private final long[][] capacityValues;

  private final long[] futureCosts;

  /**
   * Creates a sweep.
   *
   * @param permitted the banks that each record may be in, as masks
   */
  BankSweep(BankedProblem problem, BankRelaxation relaxation, long[] permitted) {
    this.problem = problem;
    this.relaxation = relaxation;
    this.permitted = permitted;
    bankCount = problem.banks().size();
    codeBits = Math.max(1, Integer.SIZE - Integer.numberOfLeadingZeros(bankCount - 1));
    int count = problem.recordCount();
    stepOf = new int[count];
    Arrays.fill(stepOf, -1);
    slots = new int[count];
    Arrays.fill(slots, NO_SLOT);
    units = new long[bankCount][count];
    capacities = new long[bankCount];
    ranges = CountedRange.of(problem.problem());
    addSteps();
    setUnits();
    slotCount = setSlots();
    long dearest = problem.banks().get(relaxation.byCost()[bankCount - 1]).cost();
    futureCosts = new long[steps.size() + 1];
    futureValues = new long[relaxation.levels().size()][steps.size() + 1];
    capacityValues = new long[futureValues.length][];
    Arrays.setAll(capacityValues, level -> relaxation.levels().get(level).capacityValues());
    for (int k = steps.size() - 1; k >= 0; k--) {
      int record = steps.get(k).record;
      futureCosts[k] = futureCosts[k + 1] + problem.movedBytes(record) * dearest;
      for (int level = 0; level < futureValues.length; level++) {
        futureValues[level][k] =
            futureValues[level][k + 1] + relaxation.levels().get(level).recordValue(record);
      }
    }
  }

  /** {@return true if the states have room for all live records} */
  boolean isSupported() {
    return slotCount * codeBits <= Long.SIZE;
  }

  int stepCount() {
    return steps.size();
  }

  /** Adds a step for each record that moves bytes. */
  private void addSteps() {
    for (int i : IndexOrder.ascending(ranges.length, i -> ranges[i].from())) {
      if (problem.problem().records().get(i).bytes() > 0) {
        stepOf[i] = steps.size();
        steps.add(new Step(i, ranges[i].from()));
      }
    }
  }

  private void setUnits() {
    boolean hasWindows =
        problem.problem().records().stream()
            .anyMatch(record -> record.gaps().stream().anyMatch(gap -> gap.windowEnd() > 0));
    for (int bank = 0; bank < bankCount; bank++) {
      long unit = hasWindows ? 1 : problem.alignmentIn(bank);
      capacities[bank] = BankLevel.maxUnits(problem, bank, unit);
      for (int i = 0; i < ranges.length; i++) {
        units[bank][i] = Alignment.up(ranges[i].bytes(), unit) / unit;
      }
    }
  }

  /** Gives live records places in the keys; {@return the number of places} */
  private int setSlots() {
    List<Integer> live = new ArrayList<>();
    BitSet taken = new BitSet();
    int most = 0;
    for (Step step : steps) {
      for (int i : List.copyOf(live)) {
        if (ranges[i].to() <= step.rank) {
          live.removeIf(it -> it == i);
          step.ending.add(i);
          taken.clear(slots[i]);
        }
      }
      if (units[0][step.record] > 0) {
        slots[step.record] = taken.nextClearBit(0);
        taken.set(slots[step.record]);
        live.add(step.record);
      }
      step.live = live.stream().mapToInt(Integer::intValue).toArray();
      most = Math.max(most, taken.length());
    }
    return most;
  }

  /**
   * Sweeps over all records.
   *
   * @param cutoff only plans that cost less are of interest
   * @param maxStates the number of states that are kept after each record
   */
  Result run(NoGoods noGoods, long cutoff, int maxStates, BankedLimit limit) {
    NoGoodBits bits = new NoGoodBits(noGoods, stepOf, steps.size(), bankCount);
    List<int[]> parents = new ArrayList<>();
    List<byte[]> banks = new ArrayList<>();
    SweepStates states = new SweepStates(1, bankCount);
    states.costs[states.find(0, 0)] = 0;
    long droppedCost = Long.MAX_VALUE;
    for (int k = 0; k < steps.size(); k++) {
      end(states, steps.get(k));
      SweepStates next = expand(states, k, bits, cutoff);
      int[] kept = next.best(maxStates);
      if (kept.length < next.count()) {
        droppedCost = Math.min(droppedCost, next.leastBoundWithout(kept));
      }
      limit.countNodes(next.count());
      states = next.reduced(kept);
      parents.add(Arrays.copyOf(states.parents, states.count()));
      banks.add(Arrays.copyOf(states.banks, states.count()));
      if (limit.isSpent() && k < steps.size() - 1) {
        long open = Arrays.stream(states.bounds, 0, states.count()).min().orElse(Long.MAX_VALUE);
        return new Result(Optional.empty(), 0, Math.min(cutoff, Math.min(droppedCost, open)));
      }
    }
    if (states.count() == 0) {
      return new Result(Optional.empty(), 0, Math.min(cutoff, droppedCost));
    }
    int best = 0;
    for (int state = 1; state < states.count(); state++) {
      best = states.costs[state] < states.costs[best] ? state : best;
    }
    long cost = states.costs[best];
    return new Result(Optional.of(banks(best, parents, banks)), cost, Math.min(cost, droppedCost));
  }

  private int[] banks(int last, List<int[]> parents, List<byte[]> banks) {
    int[] found = new int[problem.recordCount()];
    for (int i = 0; i < found.length; i++) {
      found[i] = relaxation.preferredBank(i, permitted[i]); // for records of no bytes
    }
    int state = last;
    for (int k = steps.size() - 1; k >= 0; k--) {
      found[steps.get(k).record] = banks.get(k)[state];
      state = parents.get(k)[state];
    }
    return found;
  }

  /** Removes the records that ended before a step. */
  private void end(SweepStates states, Step step) {
    for (int record : step.ending) {
      int shift = slots[record] * codeBits;
      long mask = (1L << codeBits) - 1;
      for (int state = 0; state < states.count(); state++) {
        int bank = (int) ((states.keys[state] >>> shift) & mask);
        states.loads[bank][state] -= units[bank][record];
        states.keys[state] &= ~(mask << shift);
      }
    }
  }

  private SweepStates expand(SweepStates states, int k, NoGoodBits bits, long cutoff) {
    Step step = steps.get(k);
    int record = step.record;
    long[] freeValues = freeValues(k);
    SweepStates next =
        new SweepStates(states.count() * Long.bitCount(permitted[record]), bankCount);
    for (int state = 0; state < states.count(); state++) {
      for (int bank = 0; bank < bankCount; bank++) {
        if (((permitted[record] >> bank) & 1) == 0
            || units[bank][record] > capacities[bank] - states.loads[bank][state]) {
          continue;
        }
        long alive = bits.after(k, bank, states.alive[state]);
        if (bits.isViolated(k, alive)) {
          continue;
        }
        long key = states.keys[state];
        if (slots[record] != NO_SLOT) {
          key |= (long) bank << (slots[record] * codeBits);
        }
        long cost =
            states.costs[state] + problem.movedBytes(record) * problem.banks().get(bank).cost();
        long bound = cost + boundOfLater(k, key, freeValues);
        if (bound < cutoff) {
          add(next, key, alive, cost, bound, states, state, record, bank);
        }
      }
    }
    return next;
  }

  private void add(
      SweepStates next,
      long key,
      long alive,
      long cost,
      long bound,
      SweepStates states,
      int state,
      int record,
      int bank) {
    int index = next.find(key, alive);
    if (cost < next.costs[index]) {
      next.costs[index] = cost;
      next.bounds[index] = bound;
      next.parents[index] = state;
      next.banks[index] = (byte) bank;
      for (int other = 0; other < bankCount; other++) {
        next.loads[other][index] = states.loads[other][state];
      }
      next.loads[bank][index] += units[bank][record];
    }
  }

  /** {@return for each level, the bound of the savings by later steps if no record were live} */
  private long[] freeValues(int k) {
    long[] values = new long[futureValues.length];
    for (int level = 0; level < values.length; level++) {
      values[level] = capacityValues[level][steps.get(k).rank] + futureValues[level][k + 1];
    }
    return values;
  }

  /** {@return a lower bound of the cost of all records after a step} */
  private long boundOfLater(int k, long key, long[] freeValues) {
    long cost = futureCosts[k + 1];
    long mask = (1L << codeBits) - 1;
    Step step = steps.get(k);
    for (int level = 0; level < freeValues.length; level++) {
      long value = freeValues[level];
      long inside = relaxation.insideMask(level);
      for (int record : step.live) {
        int bank = (int) ((key >>> (slots[record] * codeBits)) & mask);
        if (((inside >> bank) & 1) == 1) {
          value -= relaxation.levels().get(level).heldPrice(record, step.rank);
        }
      }
      cost -= BankLevel.unscaled(value);
    }
    return cost;
  }
}
