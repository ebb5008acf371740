package dev.stowage.plan.search.orders;

import java.util.Arrays;

/**
 * Sets of executed operators, each once, with the smallest load of an order that executes them.
 *
 * <p>The operations take O(w) for sets of w words of 64 operators.
 */
final class ExecutedSets {

  private static final int NONE = -1;
  private static final int FIRST_CAPACITY = 256;
  private static final int TABLE_SLOTS_PER_SET = 4;

  private final int words;
  private long[] sets = new long[0];
  private int[] previous = new int[0];
  private int[] operators = new int[0];
  private long[] loads = new long[0];
  private long[] liveBytes = new long[0];
  private int count;

  /** Open addressing: the index of a set plus 1, or 0. The size is a power of two. */
  private int[] table = new int[FIRST_CAPACITY];

  /**
   * Creates a table without sets.
   *
   * @param words the words of a set
   */
  ExecutedSets(int words) {
    this.words = words;
  }

  /** {@return the bytes that a set takes} */
  static long bytesPerSet(int words) {
    return Long.BYTES * (words + 2L) + Integer.BYTES * (2L + TABLE_SLOTS_PER_SET);
  }

  int count() {
    return count;
  }

  /** {@return the smallest load found so far of an order that executes a set} */
  long load(int index) {
    return loads[index];
  }

  /** {@return the bytes that are live after a set} */
  long liveBytes(int index) {
    return liveBytes[index];
  }

  /** {@return the set that led to this one, or -1 for the first one} */
  int previous(int index) {
    return previous[index];
  }

  /** {@return the first operator that the order executes after the previous set} */
  int operator(int index) {
    return operators[index];
  }

  /** Copies a set. */
  void copyTo(int index, long[] set) {
    System.arraycopy(sets, index * words, set, 0, words);
  }

  /**
   * Adds a set, or lowers the load of a set that was added before.
   *
   * @param set the operators
   * @param live the bytes that are live after them
   * @param load the load of an order that executes them
   * @param from the previous set of that order, or -1
   * @param operator the first operator after the previous set
   * @return the index of the set, or -1 if its load is not lower than before
   */
  int offer(long[] set, long live, long load, int from, int operator) {
    int slot = slot(set);
    if (table[slot] != 0) {
      int index = table[slot] - 1;
      if (loads[index] <= load) {
        return NONE;
      }
      write(index, load, from, operator);
      return index;
    }
    if (count == loads.length) {
      grow();
      slot = slot(set);
    }
    table[slot] = count + 1;
    System.arraycopy(set, 0, sets, count * words, words);
    liveBytes[count] = live;
    write(count, load, from, operator);
    return count++;
  }

  private void write(int index, long load, int from, int operator) {
    loads[index] = load;
    previous[index] = from;
    operators[index] = operator;
  }

  private void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * count);
    sets = Arrays.copyOf(sets, capacity * words);
    previous = Arrays.copyOf(previous, capacity);
    operators = Arrays.copyOf(operators, capacity);
    loads = Arrays.copyOf(loads, capacity);
    liveBytes = Arrays.copyOf(liveBytes, capacity);
    table = new int[TABLE_SLOTS_PER_SET * capacity];
    long[] set = new long[words];
    for (int i = 0; i < count; i++) {
      copyTo(i, set);
      table[slot(set)] = i + 1;
    }
  }

  /** {@return the slot of a set, or the free slot for it} */
  private int slot(long[] set) {
    int slot = hash(set) & (table.length - 1);
    while (table[slot] != 0 && !isAt(table[slot] - 1, set)) {
      slot = (slot + 1) & (table.length - 1);
    }
    return slot;
  }

  private boolean isAt(int index, long[] set) {
    return Arrays.equals(set, 0, words, sets, index * words, (index + 1) * words);
  }

  private static int hash(long[] set) {
    long hash = 0;
    for (long word : set) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (int) (hash ^ (hash >>> 32));
  }
}
