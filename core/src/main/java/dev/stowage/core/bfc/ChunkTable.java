package dev.stowage.core.bfc;

import java.util.Arrays;

/** The chunks of all regions, in flat arrays; a chunk is known by its slot. */
final class ChunkTable {

  /*
   * A region is tiled by chunks. A chunk is wholly in use or wholly free, and knows its neighbours:
   *
   *   region   | in use |    free    | in use |        free       |
   *            a        b            c        d
   *
   * Slots of chunks that are gone are kept in a list through `next` and used again. A slot takes
   * 48 bytes, and there is nothing per byte of a region.
   */

  /** Addresses and sizes of chunks are multiples of this. */
  static final long QUANTUM_BYTES = 256;

  static final int NONE = -1;

  /** The allocation id of a chunk that is free. */
  static final long FREE = -1;

  /** The allocation id of what nobody asked for, and nobody frees: a region's end. */
  static final long FENCE = 0;

  private long[] addresses = new long[16];
  private long[] bytes = new long[16];
  private long[] requestedBytes = new long[16];
  private long[] allocationIds = new long[16];
  private Origin[] origins = new Origin[16];
  private int[] previous = new int[16];
  private int[] next = new int[16];
  private int[] binPositions = new int[16];

  private int usedSlots;
  private int firstUnused = NONE;
  private int count;

  /** {@return how many chunks there are} */
  int count() {
    return count;
  }

  /** {@return the slot of a new free chunk without neighbours} */
  int add(long address, long chunkBytes) {
    int slot = firstUnused;
    if (slot == NONE) {
      slot = usedSlots++;
      if (slot == addresses.length) {
        grow();
      }
    } else {
      firstUnused = next[slot];
    }
    count++;
    addresses[slot] = address;
    bytes[slot] = chunkBytes;
    requestedBytes[slot] = 0;
    allocationIds[slot] = FREE;
    previous[slot] = NONE;
    next[slot] = NONE;
    binPositions[slot] = NONE;
    return slot;
  }

  /** Forgets a chunk; its neighbours must not point to it any more. */
  void remove(int slot) {
    next[slot] = firstUnused;
    firstUnused = slot;
    count--;
  }

  /** Cuts a free chunk and {@return the slot of the new one behind it, free too and in no bin} */
  int cut(int slot, long frontBytes) {
    int rest = add(addresses[slot] + frontBytes, bytes[slot] - frontBytes);
    bytes[slot] = frontBytes;
    int after = next[slot];
    previous[rest] = slot;
    next[rest] = after;
    next[slot] = rest;
    if (after != NONE) {
      previous[after] = rest;
    }
    return rest;
  }

  /** Lets a free chunk take in the free one behind it, which is forgotten. */
  void takeInNext(int slot) {
    int taken = next[slot];
    bytes[slot] += bytes[taken];
    int after = next[taken];
    next[slot] = after;
    if (after != NONE) {
      previous[after] = slot;
    }
    remove(taken);
  }

  /** Lets two chunks be neighbours. */
  void link(int before, int after) {
    next[before] = after;
    previous[after] = before;
  }

  void setAddress(int slot, long address) {
    addresses[slot] = address;
  }

  void setBytes(int slot, long chunkBytes) {
    bytes[slot] = chunkBytes;
  }

  void use(int slot, long requested, long allocationId) {
    requestedBytes[slot] = requested;
    allocationIds[slot] = allocationId;
  }

  void free(int slot) {
    requestedBytes[slot] = 0;
    allocationIds[slot] = FREE;
  }

  boolean isFree(int slot) {
    return allocationIds[slot] == FREE;
  }

  long address(int slot) {
    return addresses[slot];
  }

  /** {@return the address behind the chunk} */
  long end(int slot) {
    return addresses[slot] + bytes[slot];
  }

  long bytes(int slot) {
    return bytes[slot];
  }

  long requestedBytes(int slot) {
    return requestedBytes[slot];
  }

  /** {@return where a chunk in use comes from} */
  Origin origin(int slot) {
    return origins[slot];
  }

  void setOrigin(int slot, Origin origin) {
    origins[slot] = origin;
  }

  long allocationId(int slot) {
    return allocationIds[slot];
  }

  int previous(int slot) {
    return previous[slot];
  }

  int next(int slot) {
    return next[slot];
  }

  /** {@return where the free chunks keep it, {@link #NONE} while it is in no bin} */
  int binPosition(int slot) {
    return binPositions[slot];
  }

  void setBinPosition(int slot, int position) {
    binPositions[slot] = position;
  }

  private void grow() {
    int length = 2 * addresses.length;
    addresses = Arrays.copyOf(addresses, length);
    bytes = Arrays.copyOf(bytes, length);
    requestedBytes = Arrays.copyOf(requestedBytes, length);
    allocationIds = Arrays.copyOf(allocationIds, length);
    origins = Arrays.copyOf(origins, length);
    previous = Arrays.copyOf(previous, length);
    next = Arrays.copyOf(next, length);
    binPositions = Arrays.copyOf(binPositions, length);
  }
}
