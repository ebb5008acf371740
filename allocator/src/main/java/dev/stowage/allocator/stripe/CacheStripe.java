package dev.stowage.allocator.stripe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * A part of the cache of an allocator, with a lock: chunks by their address and, if they are free,
 * by their size. In pools, a stripe also has slabs.
 */
public class CacheStripe extends CacheLinePadding implements AutoCloseable {

  /*
   * An entry is a chunk of the stripe. It has three words side by side:
   *
   *   word   in use                            free
   *   0      address                           address
   *   1      TAGGED, class, requested bytes    FREE, class, next
   *   2      size                              size
   *
   * The size is the size of the chunk. A request takes an entry of its class, or of the next one with an
   * entry, if the request is at most an eighth smaller.
   *
   *   sizes     256 B   512   ...   16 KiB   16.5   ...   32 KiB   33   ...
   *   classes   1       2           64       65           96       97
   *
   * Each multiple of 256 is a class up to 16 KiB. From there on, each doubling has 32 classes. The free
   * entries of a class are a stack, last in, first out, so that a request gets the chunk that the
   * processor's caches most likely have. If that entry of the request's own class is smaller than the
   * request, the class is skipped. The other classes for a request are side by side, at most nine.
   *
   *   firsts    the first free entry of each class
   *   buckets   the entries by address: a hash table with open addressing. At most a quarter is used,
   *             so that most searches end at the first word, and the processor predicts their branches
   *
   * The lock of the stripe guards all fields. It takes tens of nanoseconds, so that a thread that waits
   * spins, and then sleeps. Only take() and free() are called without the lock of the allocator.
   *
   *   K1  a search for the address of an entry ends at that entry, and each bucket has an entry;
   *   K2  an entry is in the stack of its class, once, if and only if it is free;
   *   K3  the granted bytes are the credit and the sizes of all free entries;
   *   K4  there are at least as many hits as entries in use.
   */

  /** No address, since addresses are multiples of 256. */
  public static final long NO_ADDRESS = 1;

  /** No entry, in all bits of a link. */
  private static final int NONE = (1 << 24) - 1;

  /** The most entries. */
  public static final int MAX_ENTRIES = NONE;

  /** The binary logarithm of the number of classes of a doubling. */
  private static final int CLASS_BITS = 5;

  /** The number of classes; class 0 has no sizes. */
  private static final int CLASSES = 1 << 11;

  /** The bits of requested bytes in a state, below the bits of the class. */
  private static final int BYTES_BITS = 46;

  /** The binary logarithm of the unit of addresses and sizes. */
  private static final int UNIT_SHIFT = 8;

  private static final long UNIT_BYTES = 1 << UNIT_SHIFT;

  /** The largest size: 64 TiB. */
  public static final long MAX_BYTES = (1L << BYTES_BITS) - UNIT_BYTES;

  private static final int WORDS = 3;
  private static final int STATE = 1;
  private static final int SIZE = 2;
  private static final long FREE = 1L << 63;
  private static final long TAGGED = 1L << 62;

  private static final int FIRST_CAPACITY = 1 << 5;

  private static final int SPINS = 100;
  private static final long SLEEP_NANOS = 20_000;
  private static final VarHandle HELD = held();

  /** 1 if a thread holds the lock. */
  @SuppressWarnings("unused") // by HELD
  private volatile int held;

  /** The origin of requests without a tag, which costs no write. */
  private final Object noOrigin;

  private long[] entries = {};
  private Object[] origins = {};
  private int[] firsts = {};
  private int[] buckets = new int[2];

  /** Shift that maps a hash of 64 bits to a bucket. */
  private int bucketShift = Long.SIZE - 1;

  /** The bytes that may still become free entries. */
  private long creditBytes;

  /** The number of requests that took an entry. */
  private long hits;

  private long grantedBytes;
  private int count;

  /**
   * Creates a stripe without chunks.
   *
   * @param noOrigin the origin of requests without a tag
   */
  public CacheStripe(Object noOrigin) {
    this.noOrigin = noOrigin;
  }

  // The lock.

  private static VarHandle held() {
    try {
      return MethodHandles.lookup().findVarHandle(CacheStripe.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Takes the lock if no thread holds it, and {@return true if it was free} */
  public final boolean tryHold() {
    return HELD.compareAndSet(this, 0, 1);
  }

  /**
   * Waits until this thread holds the lock, which is not re-entrant, and {@return this stripe,
   * which closing releases}
   */
  public final CacheStripe hold() {
    if (!tryHold()) {
      holdContended();
    }
    return this;
  }

  private void holdContended() {
    int tries = 0;
    boolean interrupted = false;
    do {
      if (++tries % SPINS == 0) {
        LockSupport.parkNanos(this, SLEEP_NANOS);
        // An interrupted thread would not sleep: a virtual one would keep its processor, on which
        // the owner may have to run.
        interrupted |= Thread.interrupted();
      } else {
        Thread.onSpinWait();
      }
    } while (held != 0 || !tryHold());
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Releases the lock. */
  @Override
  public final void close() {
    HELD.setRelease(this, 0);
  }

  /** Removes the empty slabs, and calls an action with the address of each. */
  public void removeEmptySlabs(LongConsumer action) {}

  // Requests.

  /**
   * {@return the address of a free entry for a request, which is in use from now on, or {@link
   * #NO_ADDRESS}}
   *
   * @param bytes the requested bytes, from 1 to {@link #MAX_BYTES}
   * @param origin the origin of the request, which the visitor gets
   */
  @SuppressWarnings("ReferenceEquality") // another origin that equals it is only slower
  public long take(long bytes, Object origin) {
    if (count == 0) {
      return NO_ADDRESS;
    }
    int sizeClass = sizeClass(quanta(bytes));
    int entry = firsts[sizeClass];
    if (entry == NONE || size(entry) < bytes) {
      sizeClass = nextClass(sizeClass, quanta(bytes));
      entry = firsts[sizeClass];
      if (entry == NONE) {
        return NO_ADDRESS;
      }
    }
    firsts[sizeClass] = (int) state(entry) & NONE;
    long use = ((long) sizeClass << BYTES_BITS) | bytes;
    if (origin != noOrigin) {
      origins[entry] = origin;
      use |= TAGGED;
    }
    entries[WORDS * entry + STATE] = use;
    creditBytes += size(entry);
    hits++;
    return address(entry);
  }

  /** {@return the first other class with an entry for a request, or 0} */
  private int nextClass(int sizeClass, long quanta) {
    int end = sizeClass(quanta + quanta / 7 + 1);
    int next = sizeClass + 1;
    while (next < end && firsts[next] == NONE) {
      next++;
    }
    return next < end ? next : 0;
  }

  /**
   * Frees the entry in use at an address and {@return true}, or {@return false} if there is none,
   * or the credit does not suffice.
   */
  public boolean free(long address) {
    int entry = find(address);
    return entry != NONE && state(entry) >= 0 && push(entry, classOf(state(entry)));
  }

  /** Puts an entry on the stack of a class, if the credit suffices. */
  private boolean push(int entry, int sizeClass) {
    long credit = creditBytes - size(entry);
    if (credit < 0) {
      return false;
    }
    entries[WORDS * entry + STATE] = FREE | ((long) sizeClass << BYTES_BITS) | firsts[sizeClass];
    firsts[sizeClass] = entry;
    creditBytes = credit;
    return true;
  }

  /** {@return the class in a state} */
  private static int classOf(long state) {
    return (int) (state >>> BYTES_BITS) & (CLASSES - 1);
  }

  private static long quanta(long bytes) {
    return (bytes + UNIT_BYTES - 1) >>> UNIT_SHIFT;
  }

  /** {@return the class of the sizes from this one, in units of 256 bytes, to the next class} */
  private static int sizeClass(long quanta) {
    int shift = Long.SIZE - 1 - CLASS_BITS - Long.numberOfLeadingZeros(quanta | 1 << CLASS_BITS);
    return (shift << CLASS_BITS) + (int) (quanta >>> shift);
  }

  /** {@return the entry at an address, or {@link #NONE}} */
  private int find(long address) {
    int bucket = bucket(address);
    return buckets[bucket] == 0 ? NONE : buckets[bucket] - 1;
  }

  /** {@return the bucket of an address, or the unused one that it would get} */
  private int bucket(long address) {
    int bucket = home(address);
    while (buckets[bucket] != 0 && address(buckets[bucket] - 1) != address) {
      bucket = (bucket + 1) & (buckets.length - 1);
    }
    return bucket;
  }

  private int home(long address) {
    // Fibonacci hashing spreads neighbouring addresses.
    return (int) (((address >>> UNIT_SHIFT) * 0x9E3779B97F4A7C15L) >>> bucketShift);
  }

  // Entries.

  private long address(int entry) {
    return entries[WORDS * entry];
  }

  private long state(int entry) {
    return entries[WORDS * entry + STATE];
  }

  private long size(int entry) {
    return entries[WORDS * entry + SIZE];
  }

  /** {@return the requests that took an entry; an estimate without the lock} */
  public long hits() {
    return hits;
  }

  /** {@return the number of entries} */
  public int count() {
    return count;
  }

  /** {@return the bytes that the stripe was granted} */
  public long grantedBytes() {
    return grantedBytes;
  }

  /** {@return true if there is room for one more entry, of any size} */
  public boolean hasRoom() {
    return count < origins.length;
  }

  /** {@return the bytes that may still become free entries} */
  public long creditBytes() {
    return creditBytes;
  }

  /** Permits more bytes of free entries. */
  public void grant(long bytes) {
    grantedBytes += bytes;
    creditBytes += bytes;
  }

  /** Makes room for more entries; the stripe must be clear. */
  public void grow() {
    int capacity = Math.max(FIRST_CAPACITY, 2 * origins.length);
    long[] newEntries = new long[WORDS * capacity];
    Object[] newOrigins = new Object[capacity];
    int[] newFirsts = firsts.length > 0 ? firsts : new int[CLASSES];
    buckets = new int[4 * capacity]; // the last one that can fail
    firsts = newFirsts;
    Arrays.fill(firsts, NONE);
    entries = newEntries;
    origins = newOrigins;
    bucketShift = Long.SIZE - Integer.numberOfTrailingZeros(buckets.length);
  }

  /** Adds a free entry of a multiple of 256 bytes; there must be room, and credit. */
  public void add(long address, long bytes) {
    int entry = count++;
    entries[WORDS * entry] = address;
    entries[WORDS * entry + SIZE] = bytes;
    buckets[bucket(address)] = entry + 1;
    push(entry, sizeClass(quanta(bytes)));
  }

  /** An action on an entry. */
  public interface Visitor {
    /** Visits a free entry. */
    void free(long address);

    /** Visits an entry in use. */
    void inUse(long address, long bytes, Object origin);
  }

  /** Visits all entries, removes them, and {@return the hits of entries that are free now} */
  public final long clear(Visitor visitor) {
    long freed = hits;
    for (int entry = 0; entry < count; entry++) {
      freed -= state(entry) < 0 ? 0 : 1;
      visit(entry, visitor);
    }
    if (count > 0) {
      Arrays.fill(firsts, NONE);
      Arrays.fill(buckets, 0);
    }
    count = 0;
    hits = 0;
    creditBytes = 0;
    grantedBytes = 0;
    return freed;
  }

  private void visit(int entry, Visitor visitor) {
    long state = state(entry);
    if (state < 0) {
      visitor.free(address(entry));
    } else {
      Object origin = (state & TAGGED) == 0 ? noOrigin : origins[entry];
      visitor.inUse(address(entry), state & ((1L << BYTES_BITS) - 1), origin);
    }
  }

  /**
   * Checks K1 to K4, and {@return the addresses of all entries}; costs O(entries + buckets).
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  public List<Long> checkInvariants() {
    List<Long> addresses = new ArrayList<>();
    int free = 0;
    for (int entry = 0; entry < count; entry++) {
      check(find(address(entry)) == entry, "K1 a search does not find an entry");
      addresses.add(address(entry));
      free += state(entry) < 0 ? 1 : 0;
    }
    long used = Arrays.stream(buckets).filter(bucket -> bucket != 0).count();
    check(used == count, "K1 a bucket has no entry");
    int stacked = 0;
    long stackedBytes = 0;
    for (int sizeClass = 0; sizeClass < firsts.length; sizeClass++) {
      for (int entry = firsts[sizeClass]; entry != NONE; entry = (int) state(entry) & NONE) {
        check(stacked++ < free && state(entry) < 0, "K2 a stack has an entry in use");
        check(classOf(state(entry)) == sizeClass, "K2 an entry has the class of another stack");
        check(sizeClass(quanta(size(entry))) == sizeClass, "K2 an entry is in the wrong stack");
        stackedBytes += size(entry);
      }
    }
    check(stacked == free, "K2 a free entry is in no stack");
    boolean isGranted = grantedBytes == creditBytes + stackedBytes && creditBytes >= 0;
    check(isGranted, "K3 the granted bytes are wrong");
    check(hits >= count - free, "K4 there are more entries in use than hits");
    return addresses;
  }

  /** Throws an error that names a broken invariant, unless {@code holds}. */
  public static void check(boolean holds, String broken) {
    if (!holds) {
      throw new AssertionError(broken);
    }
  }
}
