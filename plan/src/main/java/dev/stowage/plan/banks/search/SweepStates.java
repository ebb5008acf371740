package dev.stowage.plan.banks.search;

import dev.stowage.plan.base.IndexOrder;
import java.util.Arrays;

/** The states of a {@link BankSweep} after a step, each once, in a hash table. */
final class SweepStates {

  /** For each state: the banks of the live records, as {@link BankSweep} places them. */
  final long[] keys;

  /** For each state: the bits of the no-goods of which all records so far are in their bank. */
  final long[] alive;

  /** For each state: the cost of all records so far. */
  final long[] costs;

  /** For each state: a lower bound of the cost of all records. */
  final long[] bounds;

  /** For each bank and state: the units of the live records. */
  final long[][] loads;

  /** For each state: the state before the step. */
  final int[] parents;

  /** For each state: the bank of the record of the step. */
  final byte[] banks;

  private final int[] table;
  private int count;

  /** Creates an empty table. */
  SweepStates(int maxCount, int bankCount) {
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

  /** {@return the number of states} */
  int count() {
    return count;
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

  /** {@return the states with the smallest bounds, in their order} */
  int[] best(int maxStates) {
    int[] all = new int[count];
    Arrays.setAll(all, state -> state);
    if (all.length <= maxStates) {
      return all;
    }
    int[] kept = Arrays.copyOf(IndexOrder.ascending(all.length, state -> bounds[state]), maxStates);
    Arrays.sort(kept);
    return kept;
  }

  /** {@return the smallest bound of the states that are not among some} */
  long leastBoundWithout(int[] kept) {
    long least = Long.MAX_VALUE;
    int next = 0;
    for (int state = 0; state < count; state++) {
      if (next < kept.length && kept[next] == state) {
        next++;
      } else {
        least = Math.min(least, bounds[state]);
      }
    }
    return least;
  }

  /** {@return some of the states} */
  SweepStates reduced(int[] kept) {
    if (kept.length == count) {
      return this;
    }
    SweepStates reduced = new SweepStates(kept.length, loads.length);
    for (int state : kept) {
      int index = reduced.find(keys[state], alive[state]);
      reduced.costs[index] = costs[state];
      reduced.bounds[index] = bounds[state];
      reduced.parents[index] = parents[state];
      reduced.banks[index] = banks[state];
      for (int bank = 0; bank < loads.length; bank++) {
        reduced.loads[bank][index] = loads[bank][state];
      }
    }
    return reduced;
  }
}
