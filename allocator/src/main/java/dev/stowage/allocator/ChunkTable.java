package dev.stowage.allocator;

/** The chunks of all regions, in flat arrays. A chunk is identified by its slot. */
final class ChunkTable {

  /*
   * A region is tiled by chunks. A chunk is in use or free as a whole, and has links to its
   * neighbours:
   *
   *   region   | in use |    free    | in use |        free       |
   *            a        b            c        d
   *
   * Each slot has six words side by side. An operation needs most of them, and with many chunks
   * each cache line is a miss. Chunks that are cut off one after the other have adjacent slots:
   *
   *   word   in use               free
   *   0      address              address
   *   1      bytes                bytes
   *   2      previous, next       previous, next      slots of neighbours, 32 bits each
   *   3      requested bytes      left, right         slots of children in ChunkTree
   *   4      allocation id        -2 - balance        balance in that tree, from -1 to 1
   *          or LENT + stripe     or LISTED
   *   5      next of hash         next of hash        the next slot in a chain of ChunkIndex
   *
   * A fence is the end of a region. It is a chunk without bytes, and ChunkIndex does not contain it,
   * as another region may start at its address.
   *
   * The words and the origins grow by a quarter, by copying. A small table grows when it is full. A
   * large one requests more room when a sixteenth is left, so that the caller can allocate the
   * arrays without the lock. Slots of removed chunks are kept in a list through `next` and used
   * again.
   *
   * A chunk takes at most 64 bytes for the words, 6 for the origin, and 16 in ChunkIndex. The
   * reference allocators take 8 bytes for every 256 bytes of a region instead.
   */

  static final int NONE = -1;

  /**
   * The most chunks that an operation adds: the chunk and the fence of a new region, the padding
   * for an alignment, and the rest.
   */
  static final int MAX_ADDED = 4;

  /** A table of more slots than this asks for room before it is full. */
  private static final int GROWN_AT_ONCE = 1 << 14;

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

  /** Replaces the allocation id of a free chunk with balance 0. Ids are not negative. */
  private static final long FREE = -2;

  /** Replaces the allocation id of a free chunk in the list of {@link FreeChunks}. */
  private static final long LISTED = -4;

  /** The allocation id of a fence, which is never allocated or freed. */
  private static final long FENCE = 0;

  /**
   * Replaces the allocation id of a chunk of a {@link CacheStripe}: the first one has this number.
   */
  private static final long LENT = 1L << 62;

  private long[] words = new long[16 * WORDS];
  private Origin[] origins = new Origin[16];

  /** If there are more chunks than this, the table asks for room. */
  private int fewSlotsLeft = 16 - MAX_ADDED;

  private int usedSlots;
  private int firstUnused = NONE;
  private int count;

  ChunkTable() {}

  private ChunkTable(ChunkTable source, Room room) {
    System.arraycopy(source.words, 0, room.words, 0, source.usedSlots * WORDS);
    System.arraycopy(source.origins, 0, room.origins, 0, source.usedSlots);
    words = room.words;
    origins = room.origins;
    usedSlots = source.usedSlots;
    firstUnused = source.firstUnused;
    count = source.count;
  }

  /** Arrays for a table or a copy. Allocating and clearing them takes longer than filling them. */
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

  /** {@return the chunks as they are now, in the arrays of {@code room}} */
  ChunkTable copy(Room room) {
    return new ChunkTable(this, room);
  }

  /** {@return the number of chunks and fences} */
  int count() {
    return count;
  }

  /**
   * Makes room for the chunks that an operation adds, so that it cannot run out of heap after it
   * has started.
   */
  void makeRoom() {
    if (count > fewSlotsLeft) {
      growSlotsIfFull();
    }
  }

  /** {@return the slot of a new free chunk without neighbours} */
  int add(long address, long chunkBytes) {
    return fill(address, chunkBytes, NONE_NONE, FREE);
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
    if (origins.length - count < MAX_ADDED) {
      growSlots();
    }
  }

  private void growSlots() {
    // Both arrays are allocated before anything changes: a failure leaves the table as it was.
    growInto(new Room(grownSlots()));
  }

  private int grownSlots() {
    return origins.length + origins.length / 4;
  }

  /** {@return the number of slots of the next, larger table; 0 if this one has enough left} */
  int slotsWanted() {
    return count > fewSlotsLeft ? grownSlots() : 0;
  }

  /**
   * Moves the chunks to larger arrays; does nothing if they are not larger than the present ones.
   */
  void growInto(Room room) {
    if (room.origins.length > origins.length) {
      System.arraycopy(words, 0, room.words, 0, usedSlots * WORDS);
      System.arraycopy(origins, 0, room.origins, 0, usedSlots);
      words = room.words;
      origins = room.origins;
      int length = origins.length;
      fewSlotsLeft = length - (length > GROWN_AT_ONCE ? length / 16 : MAX_ADDED);
    }
  }

  /** Removes a chunk or a fence; no neighbour may still link to it. */
  void remove(int slot) {
    setNext(slot, firstUnused);
    firstUnused = slot;
    count--;
  }

  /** Cuts a free chunk and {@return the slot of the new free chunk after it} */
  int cut(int slot, long frontBytes) {
    int after = next(slot);
    int rest = fill(address(slot) + frontBytes, bytes(slot) - frontBytes, ints(slot, after), FREE);
    setBytes(slot, frontBytes);
    setNext(slot, rest);
    if (after != NONE) {
      setPrevious(after, rest);
    }
    return rest;
  }

  /** Merges a free chunk with the free chunk after it, which is removed. */
  void mergeWithNext(int slot) {
    int merged = next(slot);
    setBytes(slot, bytes(slot) + bytes(merged));
    int after = next(merged);
    setNext(slot, after);
    if (after != NONE) {
      setPrevious(after, slot);
    }
    remove(merged);
  }

  /** Makes two chunks neighbours. */
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

  /** Lends a chunk in use to a stripe of the front cache. */
  void lend(int slot, int stripe) {
    use(slot, 0, LENT + stripe);
  }

  /** {@return true if a chunk is lent to a stripe} */
  boolean isLent(int slot) {
    return words[slot * WORDS + ALLOCATION_ID] >= LENT;
  }

  /** {@return the stripe that a chunk is lent to} */
  int stripe(int slot) {
    return (int) (words[slot * WORDS + ALLOCATION_ID] - LENT);
  }

  void free(int slot) {
    words[slot * WORDS + ALLOCATION_ID] = FREE;
  }

  boolean isFree(int slot) {
    return words[slot * WORDS + ALLOCATION_ID] < 0;
  }

  boolean isFence(int slot) {
    return words[slot * WORDS + ALLOCATION_ID] == FENCE;
  }

  long address(int slot) {
    return words[slot * WORDS + ADDRESS];
  }

  /** {@return the address after the chunk} */
  long end(int slot) {
    return address(slot) + bytes(slot);
  }

  long bytes(int slot) {
    return words[slot * WORDS + BYTES];
  }

  /** Moves the end of a chunk that {@link FreeChunks} does not contain. */
  void setBytes(int slot, long chunkBytes) {
    words[slot * WORDS + BYTES] = chunkBytes;
  }

  /** {@return the requested bytes of a chunk in use} */
  long requestedBytes(int slot) {
    return words[slot * WORDS + REQUESTED_BYTES];
  }

  /** {@return the origin of a chunk in use} */
  Origin origin(int slot) {
    return origins[slot];
  }

  @SuppressWarnings("ReferenceEquality")
  void setOrigin(int slot, Origin origin) {
    // Few origins change, and storing a reference costs a barrier of the garbage collector.
    if (origins[slot] != origin) {
      origins[slot] = origin;
    }
  }

  /** {@return the number of the request that a chunk in use was allocated for} */
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

  /** {@return the root of the left subtree of a free chunk} */
  int left(int slot) {
    return high(words[slot * WORDS + CHILDREN]);
  }

  /** {@return the root of the right subtree of a free chunk} */
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

  /** Makes a free chunk a tree of one chunk. */
  void setLeaf(int slot) {
    words[slot * WORDS + CHILDREN] = NONE_NONE;
    words[slot * WORDS + ALLOCATION_ID] = FREE;
  }

  /** Makes a free chunk a member of the list of its size, before another member or a tree. */
  void setListed(int slot, int next) {
    words[slot * WORDS + CHILDREN] = ints(NONE, next);
    words[slot * WORDS + ALLOCATION_ID] = LISTED;
  }

  /** {@return true if a slot is a free chunk in the list of its size, not {@link #NONE}} */
  boolean isListed(int slot) {
    return slot != NONE && words[slot * WORDS + ALLOCATION_ID] == LISTED;
  }

  /** {@return true if a chunk is ordered before another one by (bytes, address)} */
  boolean isBefore(int slot, int other) {
    long bytes = bytes(slot);
    long otherBytes = bytes(other);
    return bytes < otherBytes || (bytes == otherBytes && address(slot) < address(other));
  }

  /**
   * {@return the levels of the right subtree of a free chunk minus the levels of its left subtree}
   */
  int balance(int slot) {
    return (int) (FREE - words[slot * WORDS + ALLOCATION_ID]);
  }

  void setBalance(int slot, int balance) {
    words[slot * WORDS + ALLOCATION_ID] = FREE - balance;
  }

  int nextOfHash(int slot) {
    return (int) words[slot * WORDS + NEXT_OF_HASH];
  }

  void setNextOfHash(int slot, int next) {
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
