package dev.stowage.allocator;

import java.util.Locale;

/**
 * A cache of freed chunks in front of a {@link RegionSpace}, for requests whose sizes are near
 * those of earlier ones.
 */
final class FrontCache {

  /*
   * A freed chunk is lent to the stripe of the thread that frees it. The space counts it as in use from
   * then on, and the stripe alone decides whether it is free. A request for as many bytes, or up to an
   * eighth less, takes it. A later free in a thread of the same stripe puts it back. Both need the lock
   * of the stripe only. All other operations need the lock of the allocator:
   *
   *            free, miss        take, hit
   *   space ------------> free <-----------> in use   of a stripe
   *     ^                  |      free, hit    |
   *     |                  |                   |
   *     +---- settle() ----+----- settle(), reclaim()
   *
   * settle() takes all chunks back. It precedes all that reads the space or may fail: reports, requests
   * that no chunk holds even with more memory, trim(), close(). So there is one kind of state to read,
   * and the cache holds nothing back. The cost of settle() is that of the frees that it completes.
   *
   * Before the allocator gets more memory, it also empties the cache, if that is cheap beside the hits
   * since the last time. Otherwise, a cache with chunks of many sizes would be emptied again and again
   * to save memory that it needs.
   *
   *   K5  a chunk is lent to a stripe if and only if it is an entry there;
   *   K6  all stripes together have at most maxChunks entries;
   *   K7  the ungranted bytes and those granted to stripes are maxBytes, so that the free entries have
   *       no more bytes;
   *   K8  while requests wait, the cache is empty.
   *
   * Foreign code may read reports within an operation that gets or returns memory, and settle() then
   * merges chunks within that operation. This is safe, because RegionSpace and its parts keep no slot of
   * a free chunk across a call of foreign code.
   *
   * K8 needs no further flag: a request waits after settle() has found nothing for it. Then no chunk is
   * an entry, so that each free takes the lock of the allocator and sees the waiting requests, and
   * put() is not called.
   *
   * A thread with the lock of a stripe waits for nothing. Only a thread with the lock of the allocator
   * waits for that of a stripe, or holds several. A thread that finds its stripe locked takes the lock
   * of the allocator instead.
   *
   * Two frees of one address conflict at the lock of a stripe, or at that of the allocator: the second
   * one finds the entry free, or no chunk in use. It then fails, as without a cache.
   */

  static final long NO_ADDRESS = CacheStripe.NO_ADDRESS;

  /** The share of the bytes that a stripe is granted at a time. */
  private static final int GRANTS = 16;

  private static final int MAX_STRIPES = 128;

  /** The hits for each entry after which the cache is emptied rather than memory added. */
  private static final int HITS_PER_ENTRY = 16;

  private final CacheStripe[] stripes;

  /** Shift that maps a hash of 64 bits to a stripe. */
  private final int stripeShift;

  private final long maxBytes;
  private final int maxChunks;
  private final long splitThresholdBytes;

  private long ungrantedBytes;
  private int count;

  FrontCache(BfcOptions options, boolean isOn) {
    maxBytes = options.frontCacheBytes();
    maxChunks = options.frontCacheChunks();
    splitThresholdBytes = options.splitThresholdBytes();
    ungrantedBytes = maxBytes;
    stripes = new CacheStripe[isOn && maxBytes > 0 ? stripeCount() : 0];
    for (int i = 0; i < stripes.length; i++) {
      stripes[i] = new CacheStripe();
    }
    stripeShift = Long.SIZE - Integer.numberOfTrailingZeros(stripes.length);
  }

  /** {@return a power of two of at least twice the number of processors} */
  private static int stripeCount() {
    int threads = Runtime.getRuntime().availableProcessors();
    return Math.min(MAX_STRIPES, 2 * Integer.highestOneBit(2 * threads - 1));
  }

  /** {@return true if there is a cache} */
  boolean isOn() {
    return stripes.length > 0;
  }

  private int stripeOfThread() {
    // Fibonacci hashing spreads consecutive ids.
    return (int) ((Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L) >>> stripeShift);
  }

  // Without the lock of the allocator.

  /** {@return the address of new bytes, or {@link #NO_ADDRESS} if the stripe has none} */
  long take(long bytes, Origin origin) {
    if (bytes < 1 || bytes > CacheStripe.MAX_BYTES || origin.hasResources()) {
      return NO_ADDRESS;
    }
    CacheStripe stripe = stripes[stripeOfThread()];
    if (!stripe.lock().tryHold()) {
      return NO_ADDRESS;
    }
    try {
      return stripe.take(bytes, origin);
    } finally {
      stripe.lock().close();
    }
  }

  /** Frees the allocation at an address, and {@return false if the stripe cannot} */
  boolean free(long address) {
    CacheStripe stripe = stripes[stripeOfThread()];
    if (!stripe.lock().tryHold()) {
      return false;
    }
    try {
      return stripe.free(address);
    } finally {
      stripe.lock().close();
    }
  }

  // With the lock of the allocator.

  /**
   * Frees a chunk in use of the space, which becomes an entry, and {@return false if it cannot be
   * one}
   */
  boolean put(RegionSpace space, int slot) {
    ChunkTable chunks = space.chunks();
    long bytes = chunks.bytes(slot);
    long rest = bytes - Quantum.roundedBytes(chunks.requestedBytes(slot));
    // A much larger chunk than the request that had it would not serve the next such request.
    if (bytes > Math.min(maxBytes, CacheStripe.MAX_BYTES)
        || rest > bytes / 8
        || rest >= splitThresholdBytes) {
      return false;
    }
    int index = stripeOfThread();
    CacheStripe stripe = stripes[index];
    try (ShortLock _ = stripe.lock().hold()) {
      makeRoom(space, stripe, bytes);
      space.lend(slot, index);
      stripe.add(chunks.address(slot), bytes);
      count++;
    }
    return true;
  }

  private void makeRoom(RegionSpace space, CacheStripe stripe, long bytes) {
    if (count == maxChunks) {
      settle(space);
    }
    if (!stripe.hasRoom()) {
      settle(space, stripe);
      stripe.grow();
    }
    long lacking = bytes - stripe.creditBytes();
    if (lacking > ungrantedBytes) {
      settle(space);
      lacking = bytes;
    }
    if (lacking > 0) {
      long granted = Math.min(ungrantedBytes, Math.max(lacking, maxBytes / GRANTS));
      ungrantedBytes -= granted;
      stripe.grant(granted);
    }
  }

  /**
   * Takes back the chunk of a slot that is in use for the space, and {@return its slot, or {@link
   * RegionSpace#NONE} if it is a free entry}
   */
  int reclaim(RegionSpace space, int slot) {
    if (!space.chunks().isLent(slot)) {
      return slot;
    }
    CacheStripe stripe = stripes[space.chunks().stripe(slot)];
    try (ShortLock _ = stripe.lock().hold()) {
      if (!stripe.remove(space.chunks().address(slot), new Settlement(space))) {
        return RegionSpace.NONE;
      }
      count--;
    }
    return slot;
  }

  /** {@return true if the cache should be emptied before the allocator gets more memory} */
  boolean isWorthEmptying() {
    long hits = 0;
    for (CacheStripe stripe : stripes) {
      hits += stripe.hits();
    }
    return hits / HITS_PER_ENTRY >= count;
  }

  /** {@return true if no chunk is lent} */
  boolean isEmpty() {
    return count == 0;
  }

  /** Takes back all chunks. */
  void settle(RegionSpace space) {
    for (CacheStripe stripe : stripes) {
      if (!stripe.isClear()) {
        settle(space, stripe);
      }
    }
  }

  private void settle(RegionSpace space, CacheStripe stripe) {
    try (ShortLock _ = stripe.lock().hold()) {
      count -= stripe.count();
      ungrantedBytes += stripe.grantedBytes();
      space.countAllocations(stripe.clear(new Settlement(space)));
    }
  }

  /**
   * Checks K1 to K8; costs O(chunks + capacity of the stripes).
   *
   * @throws AssertionError if one does not hold; the message has its label
   */
  void checkInvariants(RegionSpace space, boolean isAwaited) {
    ChunkTable chunks = space.chunks();
    int entries = 0;
    long granted = ungrantedBytes;
    for (int i = 0; i < stripes.length; i++) {
      try (ShortLock _ = stripes[i].lock().hold()) {
        for (long address : stripes[i].checkInvariants()) {
          int slot = space.find(address);
          check(slot != RegionSpace.NONE && chunks.isLent(slot), "K5");
          check(chunks.stripe(slot) == i, "K5");
          entries++;
        }
        granted += stripes[i].grantedBytes();
      }
    }
    long lent = space.tiled().slotsInUse().stream().filter(chunks::isLent).count();
    check(lent == entries, "K5");
    check(entries == count && count <= maxChunks, "K6");
    check(granted == maxBytes && ungrantedBytes >= 0, "K7");
    check(!isAwaited || count == 0, "K8");
  }

  private static void check(boolean holds, String invariant) {
    if (!holds) {
      throw new AssertionError(
          String.format(Locale.ROOT, "invariant %s of the front cache does not hold", invariant));
    }
  }

  /** The return of entries to a space. */
  private record Settlement(RegionSpace space) implements CacheStripe.Visitor {

    @Override
    public void free(long address) {
      space.takeBackFree(space.find(address));
    }

    @Override
    public void inUse(long address, long bytes, Origin origin) {
      space.takeBack(space.find(address), bytes, origin);
    }
  }
}
