package dev.stowage.allocator;

import java.util.Arrays;

/** The chunks by address, free or in use: a hash table. */
final class ChunkIndex {

  /*
   * The chains of the hash table run through the last word of the chunks:
   *
   *   heads    |   | o |   |   | o |
   *                  |           |
   *                  b           a -> c
   *
   * Most chunks are used and freed many times before they are cut or merged, and this table does not
   * change meanwhile. Adding to a chain and removing at its head have no branch that a processor
   * could mispredict; open addressing has several.
   *
   * The heads are doubled without a pause, from two for each chunk to four. The old heads move to the
   * upper half of the new array, and each addition splits a few of them, in ascending order, into
   * two new heads each. If `split` of N old heads have been split:
   *
   *   heads    | heads 0 to 2 split - 1 |  unused  | old heads split to N - 1 |
   *            0                                   N + split                2 N
   */

  private static final int NONE = ChunkTable.NONE;

  /** The number of old heads that an operation splits. */
  private static final int HEADS_SPLIT = 4 * ChunkTable.MAX_ADDED;

  private final ChunkTable chunks;

  private int[] heads = new int[16];

  /** Shift that maps a 64-bit hash to an index into {@code heads}. */
  private int headShift = Long.SIZE - 4;

  /** The number of new heads that are filled: twice the number of old heads that were split. */
  private int headsInPlace = 16;

  ChunkIndex(ChunkTable chunks) {
    this.chunks = chunks;
    Arrays.fill(heads, NONE);
  }

  /** Makes room for the chunks that an operation adds. */
  void makeRoom() {
    if (headsInPlace < heads.length) {
      splitHeads();
    } else if (2 * (chunks.count() + ChunkTable.MAX_ADDED) > heads.length) {
      growHeads();
    }
  }

  /** {@return the slot of the chunk that starts at an address, or {@link ChunkTable#NONE}} */
  int find(long address) {
    int slot = heads[home(address)];
    while (slot != NONE && chunks.address(slot) != address) {
      slot = chunks.nextOfHash(slot);
    }
    return slot;
  }

  void add(int slot) {
    prepend(slot, home(chunks.address(slot)));
  }

  void remove(int slot) {
    int home = home(chunks.address(slot));
    if (heads[home] == slot) {
      heads[home] = chunks.nextOfHash(slot);
      return;
    }
    int before = heads[home];
    while (chunks.nextOfHash(before) != slot) {
      before = chunks.nextOfHash(before);
    }
    chunks.setNextOfHash(before, chunks.nextOfHash(slot));
  }

  private int home(long address) {
    int home = hash(address);
    return home < headsInPlace ? home : (heads.length + home) >>> 1;
  }

  private int hash(long address) {
    // Fibonacci hashing spreads neighbouring addresses.
    return (int) (((address >>> Quantum.SHIFT) * 0x9E3779B97F4A7C15L) >>> headShift);
  }

  private void prepend(int slot, int home) {
    chunks.setNextOfHash(slot, heads[home]);
    heads[home] = slot;
  }

  private void growHeads() {
    int[] old = heads;
    heads = new int[2 * old.length]; // fails before anything changes
    System.arraycopy(old, 0, heads, old.length, old.length);
    headShift--;
    headsInPlace = 0;
    splitHeads();
  }

  /**
   * Splits more heads than chunks can be added before the next call, so that all heads are split
   * long before the next doubling.
   */
  private void splitHeads() {
    int end = Math.min(heads.length, headsInPlace + 2 * HEADS_SPLIT);
    while (headsInPlace < end) {
      int slot = heads[(heads.length + headsInPlace) >>> 1];
      heads[headsInPlace] = NONE;
      heads[headsInPlace + 1] = NONE;
      headsInPlace += 2;
      while (slot != NONE) {
        int next = chunks.nextOfHash(slot);
        prepend(slot, hash(chunks.address(slot)));
        slot = next;
      }
    }
  }

  /** {@return the number of chunks in all chains; costs O(heads + chunks)} */
  int count() {
    int count = 0;
    for (int i = 0; i < heads.length; i++) {
      boolean isUsed = i < headsInPlace || i >= (heads.length + headsInPlace) >>> 1;
      for (int slot = isUsed ? heads[i] : NONE; slot != NONE; slot = chunks.nextOfHash(slot)) {
        count++;
      }
    }
    return count;
  }
}
