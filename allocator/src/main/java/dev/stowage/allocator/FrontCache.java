package dev.stowage.allocator;

import dev.stowage.allocator.stripe.CacheStripe;
import dev.stowage.allocator.stripe.CacheStripes;
import java.util.function.Function;

/**
 * A cache of freed chunks in front of a {@link RegionSpace}. It serves requests with about the
 * sizes of freed chunks.
 */
final class FrontCache {

  /*
   * A free lends its chunk to the stripe of its thread. From then on, the space counts the chunk as in
   * use, and only the stripe knows whether it is free. A request for as many bytes, or up to an eighth
   * fewer, takes it from the stripe. A later free in a thread of the same stripe puts it back. Both need
   * only the lock of the stripe. All other operations need the lock of the allocator:
   *
   *            free, miss        take, hit
   *   space ------------> free <-----------> in use   of a stripe
   *     ^                  |      free, hit    |
   *     |                  |                   |
   *     +---- settle() ----+----- settle() ----+
   *
   * A free in a thread of another stripe holds the lock of the allocator and puts the chunk back into
   * the stripe that it came from.
   *
   * settle() takes all chunks back, and the empty slabs of a pool. It costs as much as the frees
   * that it completes. It runs before reports, before requests that no chunk holds, before trim() and close().
   * So these see one kind of state, and the cache holds nothing back. Before the allocator gets more
   * memory, settle() runs only if the cache has few chunks or had many hits since the last time:
   * otherwise, a cache with chunks of many sizes would be emptied again and again.
   *
   *   K5  a chunk is lent to a stripe if and only if it is an entry there;
   *   K6  all stripes together have at most MAX_CHUNKS entries;
   *   K7  the granted bytes are the sum over all stripes, and at most the bytes that the options allow, or
   *       for a pool a share of the bytes in use at the last grant. The free entries have no more
   *       bytes;
   *   K8  while requests wait, the cache is empty. A request waits after settle() has found nothing for
   *       it, and then each free takes the lock of the allocator and sees that requests wait.
   *
   * While an operation gets or returns memory, foreign code may read reports. Then settle() merges
   * chunks within the operation. RegionSpace and its parts therefore keep no slot of a free chunk
   * across a call of foreign code.
   *
   * A thread with the lock of a stripe waits for nothing, and holds no other lock. A free that finds its
   * stripe locked takes the lock of the allocator instead.
   */

  static final long NO_ADDRESS = CacheStripe.NO_ADDRESS;

  /** The share of the bytes that a stripe is granted at a time. */
  private static final int GRANTS = 16;

  /** The hits for each entry after which the cache is emptied rather than memory added. */
  private static final int HITS_PER_ENTRY = 16;

  /** The entries that may be emptied at any time. */
  private static final int FEW_ENTRIES = 16;

  private static final int MAX_CHUNKS = 1 << 16;

  /** The most free bytes of the cache of a pool: for each stripe, or a share of all in use. */
  private static final long POOL_BYTES = 2 << 20;

  private static final int POOL_SHARE = 16;

  private final BfcOptions options;

  /** False if each request has an event, or addresses must not depend on threads. */
  private final boolean isPossible;

  private CacheStripes stripes = CacheStripes.NONE;
  private boolean isOn;

  /** True if the options leave the bytes of the cache to the pool. */
  private boolean isShare;

  private long grantedBytes;
  private int count;

  FrontCache(BfcOptions options, boolean isEachObserved) {
    this.options = options;
    isPossible = !isEachObserved && !options.hasTwoEnds();
    if (isPossible && options.frontCacheBytes() > 0) {
      isOn = true;
      useStripes(CacheStripe::new);
    }
  }

  /** Replaces the stripes by stripes of a pool, before its first request, and {@return them} */
  CacheStripes useStripes(Function<Object, CacheStripe> newStripe) {
    stripes = CacheStripes.of(() -> newStripe.apply(Origin.NONE));
    return stripes;
  }

  /** Turns the cache on before the first request of a pool, unless the options decide. */
  void turnOn() {
    isShare = isPossible && !options.hasFrontCacheBytes();
    isOn |= isShare;
  }

  /** {@return true if there is a cache} */
  boolean isOn() {
    return isOn;
  }

  /** {@return true if there is a cache, or a pool has slabs} */
  boolean hasStripes() {
    return stripes.count() > 0;
  }

  // Without the lock of the allocator.

  /** {@return the address of new bytes, or {@link #NO_ADDRESS} if the stripe has none} */
  long take(long bytes, Origin origin) {
    if (bytes < 1 || bytes > CacheStripe.MAX_BYTES || origin.hasResources() || origin.isSlab()) {
      return NO_ADDRESS;
    }
    try (CacheStripe stripe = stripes.get(stripes.holdFree())) {
      return stripe.take(bytes, origin);
    }
  }

  /** Frees the allocation at an address, and {@return false if the stripe cannot} */
  boolean free(long address) {
    CacheStripe stripe = stripes.get(stripes.ofThread());
    if (!stripe.tryHold()) {
      return false;
    }
    try (stripe) {
      return stripe.free(address);
    }
  }

  // With the lock of the allocator.

  /** Makes a chunk in use of the space a free entry, and {@return false if this is impossible} */
  boolean put(RegionSpace space, int slot) {
    ChunkTable chunks = space.chunks();
    long bytes = chunks.bytes(slot);
    long rest = bytes - Quantum.roundedBytes(chunks.requestedBytes(slot));
    // A much larger chunk than the request that had it would not serve the next such request.
    if (bytes > Math.min(maxBytes(space), CacheStripe.MAX_BYTES)
        || rest > bytes / 8
        || rest >= options.splitThresholdBytes()) {
      return false;
    }
    if (count == MAX_CHUNKS) {
      settle(space);
    }
    int index = stripes.ofThread();
    if (!stripes.get(index).hasRoom()) {
      settle(space, index);
      try (CacheStripe stripe = stripes.get(index).hold()) {
        stripe.grow();
      }
    }
    if (tryPut(space, slot, index)) {
      return true;
    }
    settle(space);
    return tryPut(space, slot, index);
  }

  /** Adds a chunk to a stripe, or {@return false if too few bytes are left for it} */
  private boolean tryPut(RegionSpace space, int slot, int index) {
    long bytes = space.chunks().bytes(slot);
    try (CacheStripe stripe = stripes.get(index).hold()) {
      if (!grant(space, stripe, bytes)) {
        return false;
      }
      space.lend(slot, index);
      stripe.add(space.chunks().address(slot), bytes);
      count++;
      return true;
    }
  }

  /** Lets a stripe have some more free bytes, or {@return false if too few are left} */
  private boolean grant(RegionSpace space, CacheStripe stripe, long bytes) {
    long maxBytes = maxBytes(space);
    long lacking = bytes - stripe.creditBytes();
    long ungranted = maxBytes - grantedBytes;
    if (lacking > 0 && lacking <= ungranted) {
      long granted = Math.min(ungranted, Math.max(lacking, maxBytes / GRANTS));
      grantedBytes += granted;
      stripe.grant(granted);
    }
    return lacking <= Math.max(0, ungranted);
  }

  private long maxBytes(RegionSpace space) {
    return isShare
        ? Math.max(stripes.count() * POOL_BYTES, space.bytesInUse() / POOL_SHARE)
        : options.frontCacheBytes();
  }

  /**
   * Frees a lent chunk in its stripe, and {@return false if the chunk is not lent or not in use, or
   * too few bytes are left for it}
   */
  boolean freeLent(RegionSpace space, long address) {
    ChunkTable chunks = space.chunks();
    int slot = space.find(address);
    if (slot == RegionSpace.NONE || !chunks.isLent(slot)) {
      return false;
    }
    try (CacheStripe stripe = stripes.get(chunks.stripe(slot)).hold()) {
      return grant(space, stripe, chunks.bytes(slot)) && stripe.free(address);
    }
  }

  /** {@return the slot of the chunk in use at an address, which is not lent, or NONE} */
  int reclaim(RegionSpace space, long address) {
    int slot = space.find(address);
    if (slot == RegionSpace.NONE || !space.chunks().isLent(slot)) {
      return slot;
    }
    settle(space, space.chunks().stripe(slot));
    return space.find(address);
  }

  /** {@return true if the cache should be emptied before the allocator gets more memory} */
  boolean isWorthEmptying() {
    long hits = 0;
    for (int i = 0; i < stripes.count(); i++) {
      hits += stripes.get(i).hits();
    }
    return count <= FEW_ENTRIES || hits / HITS_PER_ENTRY >= count;
  }

  /** Takes back all chunks and empty slabs, and {@return true if there were any} */
  boolean settle(RegionSpace space) {
    boolean isAny = false;
    for (int i = 0; i < stripes.count(); i++) {
      isAny |= settle(space, i);
    }
    return isAny;
  }

  private boolean settle(RegionSpace space, int index) {
    Settlement settlement = new Settlement(space);
    try (CacheStripe stripe = stripes.get(index).hold()) {
      long before = space.bytesInUse();
      stripe.removeEmptySlabs(settlement::free);
      boolean isAny = stripe.count() > 0 || space.bytesInUse() < before;
      count -= stripe.count();
      grantedBytes -= stripe.grantedBytes();
      space.countAllocations(stripe.clear(settlement));
      return isAny;
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
    long granted = 0;
    for (int i = 0; i < stripes.count(); i++) {
      try (CacheStripe stripe = stripes.get(i).hold()) {
        for (long address : stripe.checkInvariants()) {
          int slot = space.find(address);
          boolean isLent = slot != RegionSpace.NONE && chunks.isLent(slot);
          CacheStripe.check(isLent, "K5 an entry is not lent");
          CacheStripe.check(chunks.stripe(slot) == i, "K5 an entry is in another stripe");
          entries++;
        }
        granted += stripe.grantedBytes();
      }
    }
    long lent = space.tiled().slotsInUse().stream().filter(chunks::isLent).count();
    CacheStripe.check(lent == entries, "K5 a lent chunk is no entry");
    CacheStripe.check(entries == count && count <= MAX_CHUNKS, "K6 the count is wrong");
    CacheStripe.check(granted == grantedBytes, "K7 the granted bytes are wrong");
    boolean isPermitted = isShare || granted <= options.frontCacheBytes();
    CacheStripe.check(isPermitted, "K7 more bytes are granted than the options allow");
    CacheStripe.check(!isAwaited || count == 0, "K8 requests wait for a chunk in the cache");
  }

  /** The return of entries to a space. */
  private record Settlement(RegionSpace space) implements CacheStripe.Visitor {

    @Override
    public void free(long address) {
      space.takeBackFree(space.find(address));
    }

    @Override
    public void inUse(long address, long bytes, Object origin) {
      space.takeBack(space.find(address), bytes, (Origin) origin);
    }
  }
}
