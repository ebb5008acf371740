package dev.stowage.plan.search.offsets;

/**
 * A table of states of a search that lead to no plan within the capacity, like a transposition
 * table of a chess program.
 *
 * <p>A state is a set of unplaced records with the lowest offset of each. The table has a fixed
 * size, and a new state replaces another one. It stores 128 bits of hashes for each state. Two
 * states with equal hashes would make the search wrong; in 10<sup>12</sup> lookups, the probability
 * is below 10<sup>-20</sup>.
 */
final class FailedStates {

  private static final int MIN_STATES = 64;
  private static final int MAX_STATES = 1 << 12;
  private static final int STATES_PER_RECORD = 32;

  /** The first and second hash of each state, alternating; 0 if there is none. */
  private final long[] hashes;

  /**
   * Creates an empty table.
   *
   * @param records the number of records of the partition, which determines the size of the table
   */
  FailedStates(int records) {
    hashes = new long[2 * size(records)];
  }

  /** {@return the largest number of states in the table for a partition} */
  static int size(int records) {
    long states = Math.clamp((long) STATES_PER_RECORD * records, MIN_STATES, MAX_STATES);
    return Integer.highestOneBit((int) states);
  }

  /** {@return a hash of a record and its lowest offset} */
  static long hash(int record, long lowest) {
    return mix(lowest + (record + 1) * 0x9E3779B97F4A7C15L);
  }

  /** The last step of SplitMix64, by Steele, Lea and Flood. */
  private static long mix(long value) {
    long hash = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    hash = (hash ^ (hash >>> 27)) * 0x94D049BB133111EBL;
    return hash ^ (hash >>> 31);
  }

  /** {@return the first hash of the state without a record} */
  static long emptyState(long capacity) {
    return mix(capacity);
  }

  /** {@return the term of a record in the second hash of a state} */
  static long square(long hash) {
    return hash * (hash ^ (hash >>> 32));
  }

  /**
   * {@return true if the table contains a state}
   *
   * @param sum {@link #emptyState} plus the {@link #hash} of each unplaced record
   * @param sumOfSquares the sum of the {@link #square} of each hash
   */
  boolean contains(long sum, long sumOfSquares) {
    int index = index(sum);
    return hashes[index] == (sum | 1) && hashes[index + 1] == sumOfSquares;
  }

  /** Adds a state, with the same arguments as {@link #contains}. */
  void add(long sum, long sumOfSquares) {
    int index = index(sum);
    hashes[index] = sum | 1;
    hashes[index + 1] = sumOfSquares;
  }

  private int index(long sum) {
    return 2 * (int) (mix(sum) & (hashes.length / 2 - 1));
  }
}
