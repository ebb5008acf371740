package dev.stowage.core.bfc;

import java.util.Arrays;

/** The chunks in use, by address. */
final class UsedChunks {

  /*
   * A hash table of slots with open addressing; addresses stand in the chunk table. Half of it at
   * most is full, so that a chunk in use costs 8 to 16 bytes here, where the references keep 8 bytes
   * for every 256 of a region. Removing closes the gap, so that no marks of deleted entries pile up.
   */

  private final ChunkTable chunks;
  private int[] slots = new int[16];
  private int count;

  UsedChunks(ChunkTable chunks) {
    this.chunks = chunks;
    Arrays.fill(slots, ChunkTable.NONE);
  }

  int count() {
    return count;
  }

  void add(int slot) {
    if (2 * ++count > slots.length) {
      grow();
    }
    insert(slot);
  }

  /** {@return the slot of the chunk in use at an address, or {@link ChunkTable#NONE}} */
  int find(long address) {
    int position = position(address);
    return slots[position];
  }

  /** Removes the chunk at an address and {@return its slot, or {@link ChunkTable#NONE}} */
  int remove(long address) {
    int gap = position(address);
    int removed = slots[gap];
    if (removed == ChunkTable.NONE) {
      return removed;
    }
    count--;
    int mask = slots.length - 1;
    slots[gap] = ChunkTable.NONE;
    for (int k = (gap + 1) & mask; slots[k] != ChunkTable.NONE; k = (k + 1) & mask) {
      int home = home(chunks.address(slots[k]));
      // It may move to the gap unless its home lies behind the gap, up to where it is.
      if (((k - home) & mask) >= ((k - gap) & mask)) {
        slots[gap] = slots[k];
        slots[k] = ChunkTable.NONE;
        gap = k;
      }
    }
    return removed;
  }

  /** {@return where an address is, or where it would be} */
  private int position(long address) {
    int mask = slots.length - 1;
    int position = home(address);
    while (slots[position] != ChunkTable.NONE && chunks.address(slots[position]) != address) {
      position = (position + 1) & mask;
    }
    return position;
  }

  private int home(long address) {
    // Fibonacci hashing: neighbouring addresses go far apart.
    long hash = (address / ChunkTable.QUANTUM_BYTES) * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> 32) & (slots.length - 1);
  }

  private void insert(int slot) {
    slots[position(chunks.address(slot))] = slot;
  }

  private void grow() {
    int[] old = slots;
    slots = new int[2 * old.length];
    Arrays.fill(slots, ChunkTable.NONE);
    for (int slot : old) {
      if (slot != ChunkTable.NONE) {
        insert(slot);
      }
    }
  }
}
