package dev.stowage.core.plan.banks;

import dev.stowage.core.plan.base.Alignment;
import dev.stowage.core.plan.base.IndexOrder;
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

  /** The states after a step. */
  private static final class States {

    private final long[] keys;
    private final long[] alive;
    private final long[] costs;
    private final long[] bounds;
    private final long[][] loads;
    private final int[] parents;
    private final byte[] banks;
    private final int[] table;
    private int count;

    States(int maxCount, int bankCount) {
      keys = new long[maxCount];
      alive = new long[maxCount];
      costs = new long[maxCount];
      bounds = new long[maxCount];
      loads = new long[bankCount][maxCount];
      parents = new int[maxCount];
      banks = new byte[maxCount];
      table = new int[Integer.highestOneBit(Math.max(4, maxCount)) * 4];
      Arrays.fill(table, -1);
    }

    /** {@return the index of a state, which is added without a cost if it is new} */
    int find(long key, long aliveBits) {
      long hash = (key * 0x9E3779B97F4A7C15L ^ aliveBits) * 0xC2B2AE3D27D4EB4FL;
      int at = (int) (hash >>> 32) & (table.length - 1);
      while (table[at] >= 0) {
        int state = table[at];
        if (keys[state] == key && alive[state] == aliveBits) {
          return state;
        }
        at = (at + 1) & (table.length - 1);
      }
      table[at] = count;
      keys[count] = key;
      alive[count] = aliveBits;
      costs[count] = Long.MAX_VALUE;
      return count++;
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

  // For the no-goods of one run, by step and bank.
  private final long[][] startBits;
  private final long[][] clearedBits;
  private final long[] lastBits;

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
    startBits = new long[steps.size()][bankCount];
    clearedBits = new long[steps.size()][bankCount];
    lastBits = new long[steps.size()];
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
      capacities[bank] = problem.maxUnits(bank, unit);
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
    setBits(noGoods);
    List<int[]> parents = new ArrayList<>();
    List<byte[]> banks = new ArrayList<>();
    States states = new States(1, bankCount);
    states.costs[states.find(0, 0)] = 0;
    long droppedCost = Long.MAX_VALUE;
    for (int k = 0; k < steps.size(); k++) {
      end(states, steps.get(k));
      States next = expand(states, k, cutoff);
      int[] kept = kept(next, maxStates);
      if (kept.length < next.count) {
        droppedCost = Math.min(droppedCost, leastDropped(next, kept));
      }
      limit.countNodes(next.count);
      states = reduced(next, kept);
      parents.add(Arrays.copyOf(states.parents, states.count));
      banks.add(Arrays.copyOf(states.banks, states.count));
      if (limit.isSpent() && k < steps.size() - 1) {
        long open = Arrays.stream(states.bounds, 0, states.count).min().orElse(Long.MAX_VALUE);
        return new Result(Optional.empty(), 0, Math.min(cutoff, Math.min(droppedCost, open)));
      }
    }
    if (states.count == 0) {
      return new Result(Optional.empty(), 0, Math.min(cutoff, droppedCost));
    }
    int best = 0;
    for (int state = 1; state < states.count; state++) {
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

  /** Gives each no-good a bit from its first to its last record, as long as there are bits. */
  private void setBits(NoGoods noGoods) {
    for (int k = 0; k < lastBits.length; k++) {
      Arrays.fill(startBits[k], 0);
      Arrays.fill(clearedBits[k], 0);
    }
    Arrays.fill(lastBits, 0);
    long[] taken = new long[steps.size()];
    for (int bank = 0; bank < bankCount; bank++) {
      for (BitSet set : noGoods.of(bank)) {
        setBit(bank, set, taken);
      }
      for (BitSet set : noGoods.assumed(bank)) {
        setBit(bank, set, taken);
      }
    }
  }

  private void setBit(int bank, BitSet set, long[] taken) {
    int[] members = set.stream().map(i -> stepOf[i]).filter(k -> k >= 0).sorted().toArray();
    if (members.length == 0) {
      return;
    }
    int first = members[0];
    int last = members[members.length - 1];
    long used = 0;
    for (int k = first; k <= last; k++) {
      used |= taken[k];
    }
    long bit = Long.lowestOneBit(~used);
    for (int k = first; k <= last; k++) {
      taken[k] |= bit;
    }
    startBits[first][bank] |= bit;
    lastBits[last] |= bit;
    for (int k : members) {
      for (int other = 0; other < bankCount; other++) {
        if (other != bank) {
          clearedBits[k][other] |= bit;
        }
      }
    }
  }

  /** Removes the records that ended before a step. */
  private void end(States states, Step step) {
    for (int record : step.ending) {
      int shift = slots[record] * codeBits;
      long mask = (1L << codeBits) - 1;
      for (int state = 0; state < states.count; state++) {
        int bank = (int) ((states.keys[state] >>> shift) & mask);
        states.loads[bank][state] -= units[bank][record];
        states.keys[state] &= ~(mask << shift);
      }
    }
  }

  private States expand(States states, int k, long cutoff) {
    Step step = steps.get(k);
    int record = step.record;
    long[] freeValues = freeValues(k);
    States next = new States(states.count * Long.bitCount(permitted[record]), bankCount);
    for (int state = 0; state < states.count; state++) {
      for (int bank = 0; bank < bankCount; bank++) {
        if (((permitted[record] >> bank) & 1) == 0
            || units[bank][record] > capacities[bank] - states.loads[bank][state]) {
          continue;
        }
        long alive = (states.alive[state] & ~clearedBits[k][bank]) | startBits[k][bank];
        if ((alive & lastBits[k]) != 0) {
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
      States next,
      long key,
      long alive,
      long cost,
      long bound,
      States states,
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

  /** {@return the states with the smallest bounds, in their order} */
  private static int[] kept(States states, int maxStates) {
    int[] all = new int[states.count];
    Arrays.setAll(all, state -> state);
    if (all.length <= maxStates) {
      return all;
    }
    int[] kept =
        Arrays.copyOf(IndexOrder.ascending(all.length, state -> states.bounds[state]), maxStates);
    Arrays.sort(kept);
    return kept;
  }

  private static long leastDropped(States states, int[] kept) {
    long least = Long.MAX_VALUE;
    int next = 0;
    for (int state = 0; state < states.count; state++) {
      if (next < kept.length && kept[next] == state) {
        next++;
      } else {
        least = Math.min(least, states.bounds[state]);
      }
    }
    return least;
  }

  private States reduced(States states, int[] kept) {
    if (kept.length == states.count) {
      return states;
    }
    States reduced = new States(kept.length, bankCount);
    for (int state : kept) {
      int index = reduced.find(states.keys[state], states.alive[state]);
      reduced.costs[index] = states.costs[state];
      reduced.bounds[index] = states.bounds[state];
      reduced.parents[index] = states.parents[state];
      reduced.banks[index] = states.banks[state];
      for (int bank = 0; bank < bankCount; bank++) {
        reduced.loads[bank][index] = states.loads[bank][state];
      }
    }
    return reduced;
  }
}
