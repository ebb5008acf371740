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
   * Six words a slot lie together, since an operation needs most of them at once and with many
   * chunks each cache line is a miss. Chunks cut off one after the other have slots side by side:
   *
   *   word   in use               free
   *   0      address              address
   *   1      bytes                bytes
   *   2      previous, next       previous, next      slots of neighbours, 32 bits each
   *   3      requested bytes      left, right         slots in the trees of FreeChunks
   *   4      allocation id        -2 - lean           lean in those trees, from -1 to 1
   *   5      next of hash         next of hash        a slot
   *
   * The chunks, free or not, are found by address through a hash table whose chains run through
   * the last word:
   *
   *   heads    |   | o |   |   | o |
   *                  |           |
   *                  b           a -> c
   *
   * Most chunks are used and freed many times before they are cut or taken in, and all the while
   * this table stays as it is. Adding to a chain and removing at its head are without a branch that
   * a processor could guess wrong, where open addressing has several.
   *
   * A table of heads is doubled without a pause: the old heads move to the upper half of the new
   * array, and each addition splits a few of them, in ascending order, into the two heads that they
   * become. Of N old heads, the first `split` are done here:
   *
   *   heads    | heads 0 to 2 split - 1 |  unused  | old heads split to N - 1 |
   *            0                                   N + split                2 N
   *
   * A fence, the end of a region, is a chunk without bytes, which is not found by address: another
   * region may start there.
   *
   * The words and the origins grow by copying them. Small tables do that when they are full. A large
   * one wants room when a sixteenth is left, so that the caller can make it without the lock.
   *
   * Slots of chunks that are gone are kept in a list through `next` and used again. The words and
   * the origins grow by a quarter, the heads from two a chunk to four: a chunk costs at most 64 + 6 +
   * 16 bytes, where the references keep 8 for every 256 of a region, and there is nothing per byte
   * of a region here.
   */

  /** Addresses and sizes of chunks are multiples of this. */
  static final long QUANTUM_BYTES = 256;

  static final int QUANTUM_SHIFT = 8;

  static final int NONE = -1;

  /** A new region's chunk and fence, what is cut off for an alignment, and the rest. */
  private static final int MOST_ADDED = 4;

  /** Tables of more slots than this want room ahead of need, made without the lock. */
  private static final int GROWN_AT_ONCE = 1 << 14;

  /** Of heads that are doubled, how many an operation splits. */
  private static final int HEADS_SPLIT = 4 * MOST_ADDED;

  private static final int WORDS = 6;
  private static final int ADDRESS = 0;
  private static final int BYTES = 1;
  private static final int NEIGHBOURS = 2;
  private static final int REQUESTED_BYTES = 3;
  private static final int CHILDREN = 3;
  private static final int ALLOCATION_ID = 4;
  private static final int NEXT_OF_HASH = 5;

  /** Two times {@link #NONE}. */
  private static final long NONE_NONE = -1;

  /**
   * Stands in place of the allocation id of a free chunk that leans to no side; ids are not
   * negative.
   */
  private static final long FREE = -2;

  /** The allocation id of what nobody asked for, and nobody frees: a region's end. */
  static final long FENCE = 0;

  private long[] words = new long[16 * WORDS];
  private Origin[] origins = new Origin[16];
  private int[] heads = new int[16];

  /** What leaves of a hash of 64 bits as many as count the heads. */
  private int headShift = Long.SIZE - 4;

  /** Above this count it is time to make room for more slots. */
  private int fewSlotsLeft = 16 - MOST_ADDED;

  /** How many heads are in their place already: twice the old heads that were split. */
  private int headsInPlace = 16;

  private int usedSlots;
  private int firstUnused = NONE;
  private int count;

  ChunkTable() {
    Arrays.fill(heads, NONE);
  }

  private ChunkTable(ChunkTable source, Room room) {
    System.arraycopy(source.words, 0, room.words, 0, source.usedSlots * WORDS);
    System.arraycopy(source.origins, 0, room.origins, 0, source.usedSlots);
    words = room.words;
    origins = room.origins;
    heads = new int[] {NONE, NONE};
    headShift = Long.SIZE - 1;
    headsInPlace = heads.length;
    usedSlots = source.usedSlots;
    firstUnused = source.firstUnused;
    count = source.count;
  }

  /** Arrays for a table or a copy. To make and clear them takes longer than to fill them. */
  static final class Room {

    private final long[] words;
    private final Origin[] origins;

    Room(int slots) {
      words = new long[Math.multiplyExact(slots, WORDS)];
      origins = new Origin[slots];
    }

    boolean holds(int slots) {
      return slots <= origins.length;
    }
  }

  /** {@return the number of slots of a copy} */
  int usedSlots() {
    return usedSlots;
  }

  /** {@return the chunks as they are now, to read; none of them is found by address} */
  ChunkTable copy(Room room) {
    return new ChunkTable(this, room);
  }

  /** {@return how many chunks there are} */
  int count() {
    return count;
  }

  /**
   * Makes sure that an operation has the chunks that it adds, so that it does not fail half-way
   * where the heap is full.
   */
  void makeRoom() {
    if (count > fewSlotsLeft) {
      growSlotsIfFull();
    }
    if (headsInPlace < heads.length) {
      splitHeads();
    } else if (2 * (count + MOST_ADDED) > heads.length) {
      growHeads();
    }
  }

  /** {@return the slot of a new free chunk without neighbours} */
  int add(long address, long chunkBytes) {
    return add(address, chunkBytes, NONE_NONE);
  }

  private int add(long address, long chunkBytes, long neighbours) {
    int slot = fill(address, chunkBytes, neighbours, FREE);
    prepend(slot);
    return slot;
  }

  /** {@return the slot of a new fence without neighbours} */
  int addFence(long address) {
    return fill(address, 0, NONE_NONE, FENCE);
  }

  private int fill(long address, long chunkBytes, long neighbours, long allocationId) {
    int slot = unusedSlot();
    count++;
    int at = slot * WORDS;
    words[at + ADDRESS] = address;
    words[at + BYTES] = chunkBytes;
    words[at + NEIGHBOURS] = neighbours;
    words[at + ALLOCATION_ID] = allocationId;
    return slot;
  }

  private int unusedSlot() {
    int slot = firstUnused;
    if (slot != NONE) {
      firstUnused = next(slot);
      return slot;
    }
    if (usedSlots == origins.length) {
      growSlots();
    }
    return usedSlots++;
  }

  private void growSlotsIfFull() {
    if (origins.length - count < MOST_ADDED) {
      growSlots();
    }
  }

  private void growSlots() {
    // Both or none: what fails must leave the table as it was.
    growInto(new Room(grownSlots()));
  }

  private int grownSlots() {
    return origins.length + origins.length / 4;
  }

  /** {@return the slots of the next, larger table; 0 while this one has enough left} */
  int slotsWanted() {
    return count > fewSlotsLeft ? grownSlots() : 0;
  }

  /** Uses room up that was made for more slots than there are; else does nothing. */
  void growInto(Room room) {
    if (room.origins.length > origins.length) {
      System.arraycopy(words, 0, room.words, 0, usedSlots * WORDS);
      System.arraycopy(origins, 0, room.origins, 0, usedSlots);
      words = room.words;
      origins = room.origins;
      int length = origins.length;
      fewSlotsLeft = length - (length > GROWN_AT_ONCE ? length / 16 : MOST_ADDED);
    }
  }

  /** Forgets a chunk; its neighbours must not point to it any more. */
  void remove(int slot) {
    unlink(slot);
    release(slot);
  }

  /** Forgets a fence. */
  void removeFence(int slot) {
    release(slot);
  }

  private void release(int slot) {
    setNext(slot, firstUnused);
    firstUnused = slot;
    count--;
  }

  /** {@return the slot of the chunk that starts at an address, or {@link #NONE}} */
  int find(long address) {
    int slot = heads[home(address)];
    while (slot != NONE && address(slot) != address) {
      slot = nextOfHash(slot);
    }
    return slot;
  }

  private int home(long address) {
    int home = hash(address);
    return home < headsInPlace ? home : (heads.length + home) >>> 1;
  }

  private int hash(long address) {
    // Fibonacci hashing: neighbouring addresses go far apart.
    return (int) (((address >>> QUANTUM_SHIFT) * 0x9E3779B97F4A7C15L) >>> headShift);
  }

  private void prepend(int slot) {
    prepend(slot, home(address(slot)));
  }

  private void prepend(int slot, int home) {
    setNextOfHash(slot, heads[home]);
    heads[home] = slot;
  }

  private void unlink(int slot) {
    int home = home(address(slot));
    if (heads[home] == slot) {
      heads[home] = nextOfHash(slot);
      return;
    }
    int before = heads[home];
    while (nextOfHash(before) != slot) {
      before = nextOfHash(before);
    }
    setNextOfHash(before, nextOfHash(slot));
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
   * Splits more heads than chunks can be added before this is called again, so that all are split
   * long before there are too few again.
   */
  private void splitHeads() {
    int end = Math.min(heads.length, headsInPlace + 2 * HEADS_SPLIT);
    while (headsInPlace < end) {
      int slot = heads[(heads.length + headsInPlace) >>> 1];
      heads[headsInPlace] = NONE;
      heads[headsInPlace + 1] = NONE;
      headsInPlace += 2;
      while (slot != NONE) {
        int next = nextOfHash(slot);
        prepend(slot, hash(address(slot)));
        slot = next;
      }
    }
  }

  /** Cuts a free chunk and {@return the slot of the new one behind it, free too and in no bin} */
  int cut(int slot, long frontBytes) {
    int after = next(slot);
    int rest = add(address(slot) + frontBytes, bytes(slot) - frontBytes, ints(slot, after));
    setBytes(slot, frontBytes);
    setNext(slot, rest);
    if (after != NONE) {
      setPrevious(after, rest);
    }
    return rest;
  }

  /** Lets a free chunk take in the free one behind it, which is forgotten. */
  void takeInNext(int slot) {
    int taken = next(slot);
    setBytes(slot, bytes(slot) + bytes(taken));
    int after = next(taken);
    setNext(slot, after);
    if (after != NONE) {
      setPrevious(after, slot);
    }
    remove(taken);
  }

  /** Lets two chunks be neighbours. */
  void link(int before, int after) {
    setNext(before, after);
    setPrevious(after, before);
  }

  void moveFence(int slot, long address) {
    words[slot * WORDS + ADDRESS] = address;
  }

  void use(int slot, long requested, long allocationId) {
    words[slot * WORDS + REQUESTED_BYTES] = requested;
    words[slot * WORDS + ALLOCATION_ID] = allocationId;
  }

  void free(int slot) {
    words[slot * WORDS + ALLOCATION_ID] = FREE;
  }

  boolean isFree(int slot) {
    return words[slot * WORDS + ALLOCATION_ID] < 0;
  }

  long address(int slot) {
    return words[slot * WORDS + ADDRESS];
  }

  /** {@return the address behind the chunk} */
  long end(int slot) {
    return address(slot) + bytes(slot);
  }

  long bytes(int slot) {
    return words[slot * WORDS + BYTES];
  }

  /** Moves the end of a chunk that is in no bin. */
  void setBytes(int slot, long chunkBytes) {
    words[slot * WORDS + BYTES] = chunkBytes;
  }

  /** {@return what was asked for in a chunk in use} */
  long requestedBytes(int slot) {
    return words[slot * WORDS + REQUESTED_BYTES];
  }

  /** {@return where a chunk in use comes from} */
  Origin origin(int slot) {
    return origins[slot];
  }

  @SuppressWarnings("ReferenceEquality")
  void setOrigin(int slot, Origin origin) {
    // Few change, and storing a reference costs a barrier of the garbage collector.
    if (origins[slot] != origin) {
      origins[slot] = origin;
    }
  }

  /** {@return the number of the request that a chunk in use answers} */
  long allocationId(int slot) {
    return words[slot * WORDS + ALLOCATION_ID];
  }

  int previous(int slot) {
    return high(words[slot * WORDS + NEIGHBOURS]);
  }

  int next(int slot) {
    return low(words[slot * WORDS + NEIGHBOURS]);
  }

  private void setPrevious(int slot, int previous) {
    words[slot * WORDS + NEIGHBOURS] = ints(previous, next(slot));
  }

  private void setNext(int slot, int next) {
    words[slot * WORDS + NEIGHBOURS] = ints(previous(slot), next);
  }

  /** {@return the root of the tree before a free chunk} */
  int left(int slot) {
    return high(words[slot * WORDS + CHILDREN]);
  }

  /** {@return the root of the tree behind a free chunk} */
  int right(int slot) {
    return low(words[slot * WORDS + CHILDREN]);
  }

  void setLeft(int slot, int left) {
    setChildren(slot, left, right(slot));
  }

  void setRight(int slot, int right) {
    setChildren(slot, left(slot), right);
  }

  void setChildren(int slot, int left, int right) {
    words[slot * WORDS + CHILDREN] = ints(left, right);
  }

  /** Makes a free chunk a tree of its own. */
  void setLeaf(int slot) {
    words[slot * WORDS + CHILDREN] = NONE_NONE;
    words[slot * WORDS + ALLOCATION_ID] = FREE;
  }

  /** {@return true if a chunk comes before another one by (bytes, address)} */
  boolean isBefore(int slot, int other) {
    long bytes = bytes(slot);
    long otherBytes = bytes(other);
    return bytes < otherBytes || (bytes == otherBytes && address(slot) < address(other));
  }

  /** {@return the levels of a free chunk's tree on its right without those on its left} */
  int lean(int slot) {
    return (int) (FREE - words[slot * WORDS + ALLOCATION_ID]);
  }

  void setLean(int slot, int lean) {
    words[slot * WORDS + ALLOCATION_ID] = FREE - lean;
  }

  private int nextOfHash(int slot) {
    return (int) words[slot * WORDS + NEXT_OF_HASH];
  }

  private void setNextOfHash(int slot, int next) {
    words[slot * WORDS + NEXT_OF_HASH] = next;
  }

  private static long ints(int high, int low) {
    return ((long) high << 32) | (low & 0xFFFFFFFFL);
  }

  private static int high(long ints) {
    return (int) (ints >> 32);
  }

  private static int low(long ints) {
    return (int) ints;
  }
}
