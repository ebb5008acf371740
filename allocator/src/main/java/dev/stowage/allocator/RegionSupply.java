package dev.stowage.allocator;

import dev.stowage.allocator.internal.Failures;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The exchange of memory with a sub-allocator: adds, lengthens, shortens and returns regions. */
final class RegionSupply {

  /*
   * If no chunk holds a request, the allocator lengthens a region or adds one. If that fails and
   * garbage is collected, it returns the free regions one by one, and tries again after each.
   *
   * An expandable region is fixed if the sub-allocator refused to lengthen it, but then provided as
   * many bytes elsewhere. The allocator does not try to lengthen a fixed region until the region
   * was shortened, and from then on collects garbage. If the region had never been lengthened, the
   * allocator expects that this sub-allocator lengthens no region, and regions double. If the
   * sub-allocator refused all memory, nothing follows for its regions.
   *
   * After a refusal, the allocator asks for 10 % less each time, as TensorFlow's. This has three
   * effects: the last size may be larger than the request needs, a full device refuses many sizes,
   * and the next region is as large as the refused region would have been. A pool therefore halves
   * the sizes after some tenths. It tries at most 16 sizes, and the needed size is the last of
   * them. A refused request changes no size of later regions.
   */

  /** The refusals of a pool after which sizes are halved. */
  private static final int TENTHS = 7;

  /** The refusals of a pool after which only the needed size is left. */
  private static final int MOST_REFUSALS = 15;

  private final SubAllocator subAllocator;
  private final SubAllocatorCheck check;
  private final TiledRegions tiled;
  private final boolean isExpandable;
  private final long firstRegionBytes;
  private final long trimThresholdBytes;
  private final long granularityBytes;
  private final long alignmentBytes;

  /** True if the first region has all bytes of the limit. */
  private final boolean isOneRegion;

  /** The maximum total size of the regions, a multiple of the granularity. */
  private long limitBytes;

  /** The other allocators of a family, which share limits. */
  private final Relatives relatives;

  /** The free chunk that contains the memory that was added last. */
  private int grown = ChunkTable.NONE;

  /** The minimum size of the next region, if regions double. */
  private long nextRegionBytes;

  private long peakBytes;

  /** The bytes of the regions that the relatives know. */
  private long notedBytes;

  /** True if the sub-allocator refused memory within the limit for the last request. */
  private boolean isRefused;

  /**
   * The smallest size that the sub-allocator refused while no region was held, so that frees cannot
   * help; reset when the sub-allocator provides as many bytes.
   */
  private long refusedWithoutRegions = Long.MAX_VALUE;

  /** The sizes that the sub-allocator refused for the last request, if it refused a region. */
  private Refusal refusal = new Refusal(0, 0);

  /** True for the allocator of a pool, which retries refused regions with few sizes. */
  private boolean isOfPool;

  /** True if the sub-allocator has ever refused memory. */
  private boolean wasEverRefused;

  /** True if the sub-allocator refused to lengthen a region the last time. */
  private boolean isLengtheningRefused;

  /** True while regions are expected to become longer; it never becomes true again. */
  private boolean expands;

  /** True if free regions are returned before a request fails. */
  private boolean collects;

  /**
   * Refused sizes of a region.
   *
   * @param mostBytes the first size
   * @param leastBytes the last size
   */
  record Refusal(long mostBytes, long leastBytes) {}

  RegionSupply(
      String name,
      SubAllocator subAllocator,
      BfcOptions options,
      TiledRegions tiled,
      Relatives relatives) {
    this.subAllocator = subAllocator;
    this.tiled = tiled;
    this.relatives = relatives;
    check = new SubAllocatorCheck(name, subAllocator);
    granularityBytes = subAllocator.granularityBytes();
    alignmentBytes = subAllocator.alignmentBytes();
    isExpandable = options.growth() == RegionGrowth.EXPANDABLE;
    trimThresholdBytes = isExpandable ? options.trimThresholdBytes() : Long.MAX_VALUE;
    isOneRegion = options.growth() == RegionGrowth.ONE_REGION;
    limitBytes = options.limitBytes() & -granularityBytes;
    firstRegionBytes = Quantum.roundedUp(options.firstRegionBytes(), granularityBytes);
    nextRegionBytes = isOneRegion ? limitBytes : firstRegionBytes;
    expands = isExpandable && subAllocator.canLengthen();
    collects = options.hasGarbageCollection() || (isExpandable && !expands);
  }

  private RegionSupply(RegionSupply source, TiledRegions tiled, Relatives relatives) {
    subAllocator = source.subAllocator;
    check = source.check;
    this.tiled = tiled;
    this.relatives = relatives;
    notedBytes = source.notedBytes;
    isExpandable = source.isExpandable;
    firstRegionBytes = source.firstRegionBytes;
    trimThresholdBytes = source.trimThresholdBytes;
    granularityBytes = source.granularityBytes;
    alignmentBytes = source.alignmentBytes;
    isOneRegion = source.isOneRegion;
    limitBytes = source.limitBytes;
    nextRegionBytes = source.nextRegionBytes;
    peakBytes = source.peakBytes;
    isRefused = source.isRefused;
    refusal = source.refusal;
    isOfPool = source.isOfPool;
    refusedWithoutRegions = source.refusedWithoutRegions;
    wasEverRefused = source.wasEverRefused;
    isLengtheningRefused = source.isLengtheningRefused;
    expands = source.expands;
    collects = source.collects;
  }

  /** {@return this supply as it is now, over a copy of the regions} */
  RegionSupply copy(TiledRegions copiedRegions, Relatives copiedRelatives) {
    return new RegionSupply(this, copiedRegions, copiedRelatives);
  }

  /** Lets few sizes be asked for after a refusal, the needed one last. */
  void becomePool() {
    isOfPool = true;
  }

  boolean isOfPool() {
    return isOfPool;
  }

  // More memory.

  /**
   * Gets memory for a request that no free chunk holds and {@return true if a chunk holds it now}
   */
  boolean supply(long rounded, long alignment) {
    return extendOrCollect(rounded, alignment)
        || (relatives.trimAbove() && extendOrCollect(rounded, alignment));
  }

  private boolean extendOrCollect(long rounded, long alignment) {
    boolean isMore = extend(rounded, alignment);
    if (!isMore && collects && canCollectEnough(rounded, alignment)) {
      // All free regions together are enough, but fewer may be, so they are returned one by one.
      Iterator<AllocationRegion> garbage = tiled.freeRegions().iterator();
      while (!isMore && garbage.hasNext()) {
        release(garbage.next());
        isMore = extend(rounded, alignment);
      }
    }
    return isMore;
  }

  /** {@return true if there is one region, which would be longer with a higher limit} */
  boolean isOneRegionOfTheLimit() {
    return isOneRegion && tiled.regions().size() == 1 && tiled.bytes() == usableLimitBytes();
  }

  /** {@return the free chunk that contains the memory that was added last} */
  int grown() {
    return grown;
  }

  private boolean extend(long rounded, long alignment) {
    isRefused = false;
    return expands ? expandOrAddRegion(rounded, alignment) : addRegion(rounded, alignment);
  }

  private boolean expandOrAddRegion(long rounded, long alignment) {
    long before = tiled.bytes();
    List<AllocationRegion> refusing = new ArrayList<>();
    boolean isMore = expand(rounded, alignment, refusing) || addRegion(rounded, alignment);
    long more = tiled.bytes() - before;
    for (AllocationRegion region : refusing) {
      if (isMore && tiled.lackingBytes(region, rounded, alignment) <= more) {
        region.fix();
        collects = true;
        expands &= region.isLengthened();
      }
    }
    return isMore;
  }

  /**
   * Lengthens the region at the highest address that can hold the request, by the bytes that it
   * lacks.
   */
  private boolean expand(long rounded, long alignment, List<AllocationRegion> refusing) {
    long available = availableBytes();
    for (int i = tiled.regions().size() - 1; i >= 0; i--) {
      AllocationRegion region = tiled.regions().get(i);
      long lacking = tiled.lackingBytes(region, rounded, alignment);
      // A region cannot grow beyond the end of the address space; a new one is added instead.
      long room = Long.MAX_VALUE - granularityBytes - region.end();
      if (lacking <= Math.min(available, room) && !region.isFixed()) {
        long newBytes = Quantum.roundedUp(region.bytes() + lacking, granularityBytes);
        if (subAllocator.resize(region.address(), region.bytes(), newBytes)) {
          isLengtheningRefused = false;
          noteGrown(tiled.lengthen(region, newBytes));
          return true;
        }
        isRefused = true;
        wasEverRefused = true;
        isLengtheningRefused = true;
        refusing.add(region);
      }
    }
    return false;
  }

  private boolean addRegion(long rounded, long alignment) {
    long available = availableBytes();
    long needed = neededBytes(rounded, alignment);
    if (needed > available) {
      return false;
    }
    if (expands) {
      return addRegion(needed, needed, false);
    }
    long before = nextRegionBytes;
    if (isExpandable) {
      nextRegionBytes = doubledBytes();
    }
    boolean isGrown = false;
    while (nextRegionBytes < needed) {
      nextRegionBytes = nextRegionBytes > Long.MAX_VALUE / 4 ? needed : 2 * nextRegionBytes;
      isGrown = true;
    }
    boolean isAdded = addRegion(Math.min(nextRegionBytes, available), needed, !isGrown);
    if (!isAdded && isOfPool) {
      nextRegionBytes = before;
    }
    return isAdded;
  }

  /** {@return the size of the next region; only regions that are still held count} */
  private long doubledBytes() {
    long largest = 0;
    for (AllocationRegion region : tiled.regions()) {
      largest = Math.max(largest, region.bytes());
    }
    long doubled = largest > Long.MAX_VALUE / 4 ? largest : 2 * largest;
    return Math.max(firstRegionBytes, doubled);
  }

  /**
   * Adds a region of some bytes, whatever the limit is, and {@return its free chunk}
   *
   * @throws IllegalStateException if the sub-allocator refuses it
   */
  int restore(long bytes) {
    if (!addRegion(bytes, bytes, false)) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the sub-allocator refused a region: bytes=%d", bytes));
    }
    return grown;
  }

  /**
   * Moves the end of the one region up, whatever the limit is.
   *
   * @throws IllegalStateException if the sub-allocator refuses it
   */
  void lengthen(long more) {
    AllocationRegion region = tiled.regions().getFirst();
    long newBytes = region.bytes() + more;
    if (!subAllocator.resize(region.address(), region.bytes(), newBytes)) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the sub-allocator refused to lengthen a region: bytes=%d, newBytes=%d",
              region.bytes(),
              newBytes));
    }
    noteGrown(tiled.lengthen(region, newBytes));
    limitBytes = Math.max(limitBytes, heldBytes());
  }

  private boolean addRegion(long wanted, long needed, boolean nextOneDoubles) {
    long bytes = wanted;
    OptionalLong address = subAllocator.allocate(bytes);
    for (int refusals = 1; address.isEmpty(); refusals++) {
      wasEverRefused = true;
      long less = lessBytes(bytes, needed, refusals);
      if (less < needed) {
        isRefused = true;
        refusal = new Refusal(wanted, bytes);
        if (tiled.bytes() == 0) {
          refusedWithoutRegions = Math.min(refusedWithoutRegions, needed);
        }
        return false;
      }
      bytes = less;
      address = subAllocator.allocate(bytes);
    }
    if (bytes >= refusedWithoutRegions) {
      refusedWithoutRegions = Long.MAX_VALUE;
    }
    if (isOfPool && bytes < wanted) {
      nextRegionBytes = bytes;
    } else if (nextOneDoubles && nextRegionBytes <= Long.MAX_VALUE / 4) {
      nextRegionBytes *= 2;
    }
    check.checkRegion(address.getAsLong(), bytes, tiled);
    noteGrown(tiled.add(address.getAsLong(), bytes));
    return true;
  }

  /**
   * {@return the bytes of the next attempt after a refusal; if fewer than needed, there is none}
   */
  private long lessBytes(long refusedBytes, long needed, int refusals) {
    if (isOfPool && refusals == MOST_REFUSALS && refusedBytes > needed) {
      return needed;
    }
    // As in TensorFlow, which multiplies a float; one unit less at least, so that it ends.
    float part = isOfPool && refusals > TENTHS ? 0.5f : 0.9f;
    long less = Quantum.roundedUp((long) (refusedBytes * part), granularityBytes);
    less = Math.min(less, refusedBytes - granularityBytes);
    // An expandable region that doubles must not fail if one of the needed bytes would do.
    boolean isExactLeft = (isOfPool || isExpandable) && refusedBytes > needed;
    return isExactLeft ? Math.max(less, needed) : less;
  }

  private void noteGrown(int chunk) {
    grown = chunk;
    peakBytes = Math.max(peakBytes, tiled.bytes());
    noteHeld();
  }

  private void noteHeld() {
    relatives.noteHeld(tiled.bytes() - notedBytes);
    notedBytes = tiled.bytes();
  }

  /**
   * {@return the bytes of a new region for a request; {@link Long#MAX_VALUE} if they exceed a long,
   * so that no device has such a region}
   */
  long neededBytes(long rounded, long alignment) {
    long padding = Math.max(0, alignment - alignmentBytes);
    return rounded > Long.MAX_VALUE - padding
        ? Long.MAX_VALUE
        : Quantum.roundedUp(rounded + padding, granularityBytes);
  }

  // Returning memory.

  /** Returns the free end of the region around an address. */
  void trimEnd(long address) {
    AllocationRegion region = tiled.regionAround(address).orElseThrow();
    if (tiled.isFree(region)) {
      release(region);
    } else if (expands) { // otherwise the region could not grow again
      shorten(region, region.bytes());
    }
  }

  /** Returns a free region; the allocator keeps it if the sub-allocator throws. */
  private void release(AllocationRegion region) {
    subAllocator.free(region.address(), region.bytes());
    tiled.remove(region);
    noteHeld();
  }

  /** Returns the free end of a region, but at most a number of bytes. */
  private void shorten(AllocationRegion region, long mostBytes) {
    ChunkTable chunks = tiled.chunks();
    int last = tiled.last(region);
    if (!chunks.isFree(last) || tiled.isFree(region)) { // the sub-allocator did not take a free one
      return;
    }
    long neededBytes = Quantum.roundedUp(chunks.address(last) - region.address(), granularityBytes);
    long newBytes = Math.max(neededBytes, region.bytes() - mostBytes);
    if (newBytes < region.bytes()
        && subAllocator.resize(region.address(), region.bytes(), newBytes)) {
      tiled.shorten(region, newBytes);
      noteHeld();
    }
  }

  /**
   * Returns free regions and, if regions are expandable, free ends to the sub-allocator, and
   * {@return the number of bytes}
   *
   * <p>If the sub-allocator throws for a region, this method still returns the others, and then
   * throws the first exception.
   */
  long trim() {
    long before = tiled.bytes();
    Failures failures = new Failures();
    tiled.freeRegions().forEach(region -> failures.attempt(() -> release(region)));
    if (isExpandable) {
      tiled.regions().forEach(region -> failures.attempt(() -> shorten(region, region.bytes())));
    }
    failures.throwFirst();
    return before - tiled.bytes();
  }

  /**
   * Sets the limit, or the bytes of the regions if these are more. Returns free regions, the
   * largest first, and free ends, until the regions are within the limit. Exceptions are handled as
   * in {@link #trim}.
   */
  void setLimit(long newLimitBytes) {
    long wanted = newLimitBytes & -granularityBytes;
    Failures failures = new Failures();
    tiled.freeRegions().forEach(region -> failures.attempt(() -> releaseBeyond(wanted, region)));
    if (isExpandable) {
      tiled.regions().forEach(region -> failures.attempt(() -> shortenBeyond(wanted, region)));
    }
    limitBytes = Math.max(wanted, heldBytes());
    if (isOneRegion) {
      nextRegionBytes = limitBytes;
    }
    failures.throwFirst();
  }

  private void releaseBeyond(long limit, AllocationRegion region) {
    if (heldBytes() > limit) {
      release(region);
    }
  }

  private void shortenBeyond(long limit, AllocationRegion region) {
    if (heldBytes() > limit) {
      shorten(region, heldBytes() - limit);
    }
  }

  /** Returns all regions, which must be free. Exceptions are handled as in {@link #trim}. */
  void releaseAll() {
    Failures failures = new Failures();
    List.copyOf(tiled.regions()).forEach(region -> failures.attempt(() -> release(region)));
    failures.throwFirst();
  }

  // Queries.

  /**
   * {@return true if there are free regions, and the limit permits a region for the request in
   * their place}
   */
  boolean canCollectEnough(long rounded, long alignment) {
    long freeBytes = tiled.freeRegionBytes();
    long available = availableBytes();
    return freeBytes > 0 && neededBytes(rounded, alignment) <= available + freeBytes;
  }

  /**
   * {@return true if frees may make room for a request that has just failed: a region is long
   * enough, or can be lengthened within the limit, or free regions are returned and the
   * sub-allocator did not refuse}
   */
  boolean freesMayServe(long rounded, long alignment) {
    for (AllocationRegion region : tiled.regions()) {
      long longer = canLengthen(region) ? availableBytes() : 0;
      long padding = Quantum.paddingBytes(region.address(), Math.max(Quantum.BYTES, alignment));
      if (rounded - longer <= region.bytes() - padding) {
        return true;
      }
    }
    boolean regionsGoBack = collects || trimThresholdBytes < Long.MAX_VALUE;
    long needed = neededBytes(rounded, alignment);
    return regionsGoBack && !isRefused && needed <= limitBytes && needed < refusedWithoutRegions;
  }

  /** {@return true if the sub-allocator refused memory within the limit for the last request} */
  boolean isRefused() {
    return isRefused;
  }

  /** {@return the sizes of a region that the sub-allocator refused last} */
  Refusal refusal() {
    return refusal;
  }

  /** {@return true if the sub-allocator has ever refused memory} */
  boolean wasEverRefused() {
    return wasEverRefused;
  }

  /** {@return true if the sub-allocator is expected to lengthen a region} */
  boolean canLengthen(AllocationRegion region) {
    return expands && !region.isFixed() && !isLengtheningRefused;
  }

  /** {@return true if free regions are returned before a request fails} */
  boolean collects() {
    return collects;
  }

  /** {@return the size from which a free end is returned at once} */
  long trimThresholdBytes() {
    return trimThresholdBytes;
  }

  long granularityBytes() {
    return granularityBytes;
  }

  /** {@return the bytes of the regions, including private pools} */
  long heldBytes() {
    return tiled.bytes() + relatives.poolBytes();
  }

  /** {@return the bytes that all limits leave} */
  long availableBytes() {
    return Math.min(limitBytes - heldBytes(), relatives.leftBytes());
  }

  /** {@return the maximum total size of the regions, if the others hold what they hold now} */
  long usableLimitBytes() {
    return tiled.bytes() + availableBytes();
  }

  /** {@return the other allocators of the family, which share limits} */
  Relatives relatives() {
    return relatives;
  }

  /** {@return the maximum total size of the regions} */
  long limitBytes() {
    return limitBytes;
  }

  /** {@return the largest total size of the regions so far} */
  long peakBytes() {
    return peakBytes;
  }

  void clearPeak() {
    peakBytes = tiled.bytes();
  }
}
