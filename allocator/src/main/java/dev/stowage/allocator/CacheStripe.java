package dev.stowage.allocator;

import dev.stowage.allocator.padding.CacheLinePadding;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A part of a {@link FrontCache}: chunks by their address and, if they are free, by their size. */
final class CacheStripe extends CacheLinePadding {

  /*
   * An entry is a chunk of the stripe. It has two words side by side:
   *
   *   word   in use                                free                           removed
   *   0      address                               address
   *   1      place of its size, TAGGED, slack      FREE, place of its size, next  REMOVED, next
   *
   * The size is that of the request, rounded up. The slack is the difference. The free entries of a
   * size are a stack, last in, first out, so that a request gets the chunk that the processor's
   * caches most likely have.
   *
   *   places    one word for each size: the size, and the first free entry of its stack
   *   buckets   the entries by address
   *
   * Both are hash tables with open addressing. At most half of the places and an eighth of the buckets
   * are used, so that most searches end at the first word, and the processor predicts their branches.
   * Sizes and places do not change until the stripe is cleared.
   *
   * The lock of the stripe guards all fields. Only take() and free() are called without the lock of
   * the allocator.
   *
   *   K1  a search for the address of an entry ends at that entry, and each bucket has an entry;
   *   K2  an entry is in the stack of its place, once, if and only if it is free;
   *   K3  the granted bytes are the credit and the sizes of all free entries;
   *   K4  there are at least as many hits as entries in use.
   */

  /** No address, since addresses are multiples of 256. */
  static final long NO_ADDRESS = 1;

  private static final int LINK_BITS = 24;

  /** No entry, in all bits of a link. */
  private static final int NONE = (1 << LINK_BITS) - 1;

  /** The most entries. */
  static final int MAX_ENTRIES = NONE;

  /** The largest size: a place has 40 bits for it, in units of 256 bytes. */
  static final long MAX_BYTES = ((1L << (Long.SIZE - LINK_BITS)) - 1) << Quantum.SHIFT;

  private static final int FIRST_CAPACITY = 1 << 9;
  private static final long FREE = 1L << 63;
  private static final long REMOVED = 1L << 62;
  private static final int TAGGED = 1 << Quantum.SHIFT;
  private static final int SLACK = TAGGED - 1;

  private final ShortLock lock = new ShortLock();

  private long[] entries = {};
  private Origin[] origins = {};
  private long[] places = new long[2];
  private int[] buckets = new int[2];

  /** Shifts that map a hash of 64 bits to a place and to a bucket. */
  private int placeShift = Long.SIZE - 1;

  private int bucketShift = Long.SIZE - 1;

  /** The bytes that may still become free entries. */
  private long creditBytes;

  /** The number of requests that took an entry, without those whose allocation has got an id. */
  private long hits;

  private long grantedBytes;
  private int placesUsed;
  private int entriesUsed;
  private int firstRemoved = NONE;
  private int count;

  ShortLock lock() {
    return lock;
  }

  // Requests.

  /**
   * {@return the address of a free entry for a request, which is in use from now on, or {@link
   * #NO_ADDRESS}}
   *
   * @param bytes the requested bytes, from 1 to {@link #MAX_BYTES}
   */
  @SuppressWarnings("ReferenceEquality") // another origin that equals it is only slower
  long take(long bytes, Origin origin) {
    long quanta = quanta(bytes);
    int place = place(quanta);
    long word = places[place];
    int entry = (int) word & NONE;
    if (word == 0 || entry == NONE) {
      return NO_ADDRESS;
    }
    long rounded = quanta << Quantum.SHIFT;
    long state = ((long) place << LINK_BITS) | (rounded - bytes);
    if (origin != Origin.NONE) {
      origins[entry] = origin;
      state |= TAGGED;
    }
    places[place] = (word & ~NONE) | (entries[2 * entry + 1] & NONE);
    entries[2 * entry + 1] = state;
    creditBytes += rounded;
    hits++;
    return entries[2 * entry];
  }

  /**
   * Frees the entry in use at an address and {@return true}, or {@return false} if there is none,
   * or the credit does not suffice.
   */
  boolean free(long address) {
    int entry = find(address);
    if (entry == NONE || entries[2 * entry + 1] < 0) {
      return false;
    }
    return push(entry, placeOf(entries[2 * entry + 1]));
  }

  /** Puts an entry on a stack, if the credit suffices. */
  private boolean push(int entry, int place) {
    long word = places[place];
    long credit = creditBytes - bytes(place);
    if (credit < 0) {
      return false;
    }
    entries[2 * entry + 1] = FREE | ((long) place << LINK_BITS) | (word & NONE);
    places[place] = (word & ~NONE) | entry;
    creditBytes = credit;
    return true;
  }

  /** {@return the place in the state of an entry} */
  private static int placeOf(long state) {
    return (int) (state >>> LINK_BITS);
  }

  /** {@return the size of a place} */
  private long bytes(int place) {
    return (places[place] >>> LINK_BITS) << Quantum.SHIFT;
  }

  private static long quanta(long bytes) {
    return (bytes + Quantum.BYTES - 1) >>> Quantum.SHIFT;
  }

  /** {@return the place of a size, or the unused place that it would get} */
  private int place(long quanta) {
    int place = hash(quanta, placeShift);
    while (places[place] >>> LINK_BITS != quanta && places[place] != 0) {
      place = (place + 1) & (places.length - 1);
    }
    return place;
  }

  /** {@return the entry at an address, or {@link #NONE}} */
  private int find(long address) {
    int bucket = bucket(address);
    return buckets[bucket] == 0 ? NONE : buckets[bucket] - 1;
  }

  /** {@return the bucket of an address, or the unused one that it would get} */
  private int bucket(long address) {
    int bucket = home(address);
    while (buckets[bucket] != 0 && entries[2 * (buckets[bucket] - 1)] != address) {
      bucket = (bucket + 1) & (buckets.length - 1);
    }
    return bucket;
  }

  private int home(long address) {
    return hash(address >>> Quantum.SHIFT, bucketShift);
  }

  private static int hash(long key, int shift) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> shift); // Fibonacci hashing
  }

  // Entries.

  /**
   * {@return the requests that took an entry, except for those whose allocation has an id; an
   * estimate without the lock}
   */
  long hits() {
    return hits;
  }

  /** {@return the number of entries} */
  int count() {
    return count;
  }

  /** {@return the bytes that the stripe was granted} */
  long grantedBytes() {
    return grantedBytes;
  }

  /** {@return true if there is room for one more entry, of any size} */
  boolean hasRoom() {
    return count < origins.length && placesUsed < origins.length;
  }

  /** {@return true if nothing was added since the stripe was cleared} */
  boolean isClear() {
    return entriesUsed == 0;
  }

  /** {@return the bytes that may still become free entries} */
  long creditBytes() {
    return creditBytes;
  }

  /** Permits more bytes of free entries. */
  void grant(long bytes) {
    grantedBytes += bytes;
    creditBytes += bytes;
  }

  /** Makes room for more entries; the stripe must be clear. */
  void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * origins.length);
    long[] newEntries = new long[2 * capacity];
    Origin[] newOrigins = new Origin[capacity];
    long[] newPlaces = new long[2 * capacity];
    buckets = new int[8 * capacity]; // the last one that can fail
    entries = newEntries;
    origins = newOrigins;
    places = newPlaces;
    placeShift = Long.SIZE - Integer.numberOfTrailingZeros(places.length);
    bucketShift = Long.SIZE - Integer.numberOfTrailingZeros(buckets.length);
  }

  /** Adds a free entry; there must be room, and credit. */
  void add(long address, long bytes) {
    long quanta = quanta(bytes);
    int place = place(quanta);
    if (places[place] == 0) {
      places[place] = (quanta << LINK_BITS) | NONE;
      placesUsed++;
    }
    int entry = unusedEntry();
    entries[2 * entry] = address;
    buckets[bucket(address)] = entry + 1;
    count++;
    push(entry, place);
  }

  private int unusedEntry() {
    int entry = firstRemoved;
    if (entry == NONE) {
      return entriesUsed++;
    }
    firstRemoved = (int) entries[2 * entry + 1] & NONE;
    return entry;
  }

  /** An action on an entry. */
  interface Visitor {
    /** Visits a free entry. */
    void free(long address);

    /** Visits an entry in use. */
    void inUse(long address, long bytes, Origin origin);
  }

  /**
   * Removes the entry in use at an address after a visit, and {@return false if the entry is free}
   */
  boolean remove(long address, Visitor visitor) {
    int bucket = bucket(address);
    int entry = buckets[bucket] - 1;
    if (entries[2 * entry + 1] < 0) {
      return false;
    }
    visit(entry, visitor);
    hits--;
    count--;
    entries[2 * entry + 1] = REMOVED | firstRemoved;
    firstRemoved = entry;
    empty(bucket);
    return true;
  }

  /** Empties a bucket, and moves later ones to it that searches would no longer find. */
  private void empty(int bucket) {
    int mask = buckets.length - 1;
    int hole = bucket;
    int next = (hole + 1) & mask;
    while (buckets[next] != 0) {
      int home = home(entries[2 * (buckets[next] - 1)]);
      if (((next - home) & mask) >= ((next - hole) & mask)) {
        buckets[hole] = buckets[next];
        hole = next;
      }
      next = (next + 1) & mask;
    }
    buckets[hole] = 0;
  }

  /** Visits all entries, removes them, and {@return the hits of entries that are free now} */
  long clear(Visitor visitor) {
    int inUse = 0;
    for (int entry = 0; entry < entriesUsed; entry++) {
      if (isPresent(entry)) {
        inUse += entries[2 * entry + 1] < 0 ? 0 : 1;
        visit(entry, visitor);
      }
    }
    long freed = hits - inUse;
    Arrays.fill(places, 0);
    Arrays.fill(buckets, 0);
    entriesUsed = 0;
    placesUsed = 0;
    firstRemoved = NONE;
    count = 0;
    hits = 0;
    creditBytes = 0;
    grantedBytes = 0;
    return freed;
  }

  /** {@return true if an entry was added and not removed} */
  private boolean isPresent(int entry) {
    return (entries[2 * entry + 1] & REMOVED) == 0;
  }

  private void visit(int entry, Visitor visitor) {
    long state = entries[2 * entry + 1];
    if (state < 0) {
      visitor.free(entries[2 * entry]);
    } else {
      Origin origin = (state & TAGGED) == 0 ? Origin.NONE : origins[entry];
      visitor.inUse(entries[2 * entry], bytes(placeOf(state)) - (state & SLACK), origin);
    }
  }

  /**
   * Checks K1 to K4, and {@return the addresses of all entries}; costs O(entries + buckets).
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  List<Long> checkInvariants() {
    List<Long> addresses = new ArrayList<>();
    int free = 0;
    for (int entry = 0; entry < entriesUsed; entry++) {
      if (isPresent(entry)) {
        check(find(entries[2 * entry]) == entry, "K1", entry);
        addresses.add(entries[2 * entry]);
        free += entries[2 * entry + 1] < 0 ? 1 : 0;
      }
    }
    check(addresses.size() == count, "K1", NONE);
    check(Arrays.stream(buckets).filter(bucket -> bucket != 0).count() == count, "K1", NONE);
    int stacked = 0;
    long stackedBytes = 0;
    for (int place = 0; place < places.length; place++) {
      int inPlace = checkStack(place);
      stacked += inPlace;
      stackedBytes += inPlace * bytes(place);
    }
    check(stacked == free, "K2", NONE);
    check(grantedBytes == creditBytes + stackedBytes && creditBytes >= 0, "K3", NONE);
    check(hits >= count - free, "K4", NONE);
    return addresses;
  }

  /** Checks K2 for a stack and {@return the number of its entries} */
  private int checkStack(int place) {
    int depth = 0;
    int entry = places[place] == 0 ? NONE : (int) places[place] & NONE;
    while (entry != NONE) {
      long state = entries[2 * entry + 1];
      check(depth++ < count && state < 0 && placeOf(state) == place, "K2", entry);
      entry = (int) state & NONE;
    }
    return depth;
  }

  private void check(boolean holds, String invariant, int entry) {
    if (!holds) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "invariant %s of a stripe of the front cache does not hold: %s",
              invariant,
              entry == NONE ? "the totals" : "chunk at " + entries[2 * entry]));
    }
  }
}
