package dev.stowage.core.bfc;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The regions of an allocator and the chunks that tile them: where a request goes. */
final class RegionSpace {

  /*
   * The chunks of a region are a ring through a fence: a chunk without bytes, in use by nobody, at
   * the region's end. So every chunk has neighbours, and the last chunk is the one before the fence:
   *
   *            first                          last    fence
   *   region   | in use |  free  |  in use  |  free  |
   *
   *   I1  chunks tile every region: the first starts with it, each where the last one ends, and the
   *       fence lies at its end; a chunk is the previous one of its next;
   *   I2  no two neighbouring chunks are free;
   *   I3  the free chunks are those in `free`, each once;
   *   I4  every chunk is found by its address;
   *   I5  bytes in use, requested bytes in use and reserved bytes are the sums over chunks and regions;
   *   I6  addresses and sizes of chunks are multiples of 256, sizes of regions of the granularity;
   *   I7  the trees of free chunks are in order and balanced (T1 and T2 of ChunkTree).
   *
   * A request gets memory from the sub-allocator in this order, until a chunk holds it: a longer or
   * another region; then, with garbage collection, the wholly free regions go one after the other,
   * and each time another region is asked for.
   *
   * An expandable region that refuses to be longer, where the sub-allocator then gives as much
   * elsewhere, is fixed: it is not asked again until it has lost bytes. From then on garbage is
   * collected. If a region refuses that has never become longer, no region of this sub-allocator is
   * expected to, and regions double. If all memory is refused, that says nothing of regions.
   */

  static final int NONE = ChunkTable.NONE;
  private static final long QUANTUM_BYTES = ChunkTable.QUANTUM_BYTES;

  /** For a copy of more slots than this, its room is made without the lock: 800 kB. */
  private static final int COPIED_AT_ONCE = 1 << 14;

  private final String name;
  private final SubAllocator subAllocator;
  private final BfcOptions options;
  private final long maxDeadBytes;
  private final long trimThresholdBytes;
  private final long granularityBytes;
  private final long alignmentBytes;
  private final long limitBytes;

  private ChunkTable chunks;
  private FreeChunks free;
  private RegionManager regions;

  /** The free chunk that has the memory that came last. */
  private int grown = NONE;

  /** What the next region will have, at least, where regions double. */
  private long nextRegionBytes;

  private long allocations;
  private long bytesInUse;
  private long requestedBytesInUse;
  private long peakBytesInUse;
  private long largestChunkBytes;
  private long peakReservedBytes;

  /** Whether the sub-allocator refused what the limit would have allowed for the last request. */
  private boolean refused;

  /**
   * The fewest bytes that it refused while nothing was held, so that no free helps; until it gives
   * as many.
   */
  private long refusedWithoutRegions = Long.MAX_VALUE;

  /** Whether it ever refused a region, or to make one longer. */
  private boolean everRefused;

  /** Whether it refused to move a region's end the last time it was asked. */
  private boolean refusedToLengthen;

  /** Whether regions become longer, as far as is known; never again once it is false. */
  private boolean expands;

  /** Whether wholly free regions are given back before a request fails. */
  private boolean collects;

  RegionSpace(String name, SubAllocator subAllocator, BfcOptions options) {
    this.name = name;
    this.subAllocator = subAllocator;
    this.options = options;
    maxDeadBytes = options.maxDeadBytes();
    trimThresholdBytes =
        options.growth() == RegionGrowth.EXPANDABLE ? options.trimThresholdBytes() : Long.MAX_VALUE;
    granularityBytes = subAllocator.granularityBytes();
    if (Long.bitCount(granularityBytes) != 1 || granularityBytes < QUANTUM_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the granularity of the sub-allocator of '%s' is no power of two from 256 on: granularityBytes=%d",
              name,
              granularityBytes));
    }
    alignmentBytes = subAllocator.alignmentBytes();
    if (Long.bitCount(alignmentBytes) != 1 || alignmentBytes < QUANTUM_BYTES) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "the alignment of the sub-allocator of '%s' is no power of two from 256 on: alignmentBytes=%d",
              name,
              alignmentBytes));
    }
    limitBytes = options.limitBytes() & -granularityBytes;
    nextRegionBytes =
        options.growth() == RegionGrowth.ONE_REGION
            ? limitBytes
            : Math.min(limitBytes, roundedUp(options.firstRegionBytes(), granularityBytes));
    boolean isExpandable = options.growth() == RegionGrowth.EXPANDABLE;
    expands = isExpandable && subAllocator.lengthens();
    collects = options.garbageCollection() || (isExpandable && !expands);
    chunks = new ChunkTable();
    free = new FreeChunks(chunks);
    regions = new RegionManager();
  }

  private RegionSpace(
      RegionSpace source, ChunkTable chunks, FreeChunks free, RegionManager regions) {
    name = source.name;
    subAllocator = source.subAllocator;
    options = source.options;
    maxDeadBytes = source.maxDeadBytes;
    trimThresholdBytes = source.trimThresholdBytes;
    granularityBytes = source.granularityBytes;
    alignmentBytes = source.alignmentBytes;
    limitBytes = source.limitBytes;
    nextRegionBytes = source.nextRegionBytes;
    allocations = source.allocations;
    bytesInUse = source.bytesInUse;
    requestedBytesInUse = source.requestedBytesInUse;
    peakBytesInUse = source.peakBytesInUse;
    largestChunkBytes = source.largestChunkBytes;
    peakReservedBytes = source.peakReservedBytes;
    refused = source.refused;
    refusedWithoutRegions = source.refusedWithoutRegions;
    everRefused = source.everRefused;
    refusedToLengthen = source.refusedToLengthen;
    expands = source.expands;
    collects = source.collects;
    this.chunks = chunks;
    this.free = free;
    this.regions = regions;
  }

  /**
   * {@return this space as it is now, to read while others go on; empty if there is too little
   * room}
   *
   * <p>Costs a copy of the arrays, some milliseconds for a million chunks; that is all that a
   * report needs under the lock. A copy answers every question but {@link #find(long)} and the
   * invariants, and must not be changed.
   *
   * @param room for a copy, which is used up; empty for as many chunks as can be copied at once
   */
  Optional<RegionSpace> copy(Optional<ChunkTable.Room> room) {
    int slots = chunks.usedSlots();
    if (room.isEmpty() ? slots > COPIED_AT_ONCE : !room.get().holds(slots)) {
      return Optional.empty();
    }
    ChunkTable copied = chunks.copy(room.orElseGet(() -> new ChunkTable.Room(slots)));
    return Optional.of(new RegionSpace(this, copied, free.copy(copied), regions.copy()));
  }

  ChunkTable chunks() {
    return chunks;
  }

  /** {@return the regions by ascending address} */
  List<AllocationRegion> regions() {
    return regions.regions();
  }

  /** {@return the slot of the chunk in use at an address, or {@link #NONE}} */
  int find(long address) {
    int slot = chunks.find(address);
    return slot == NONE || chunks.isFree(slot) ? NONE : slot;
  }

  /**
   * {@return how many bytes a request takes; {@link Long#MAX_VALUE}, which nothing holds, for none}
   */
  static long roundedBytes(long bytes) {
    return Math.max(QUANTUM_BYTES, roundedUp(bytes, QUANTUM_BYTES));
  }

  /** {@return the next multiple of a power of two, {@link Long#MAX_VALUE} where there is none} */
  static long roundedUp(long bytes, long quantum) {
    return bytes > (Long.MAX_VALUE & -quantum) ? Long.MAX_VALUE : (bytes + quantum - 1) & -quantum;
  }

  /**
   * {@return what a new region for a request has; {@link Long#MAX_VALUE}, which no region has,
   * where there is none so large}
   */
  long neededBytes(long rounded, long alignment) {
    long padding = paddingBytes(alignment);
    return rounded > Long.MAX_VALUE - padding
        ? Long.MAX_VALUE
        : roundedUp(rounded + padding, granularityBytes);
  }

  /** {@return how far, at most, an address of the sub-allocator has to be moved up} */
  private long paddingBytes(long alignment) {
    return Math.max(0, alignment - alignmentBytes);
  }

  /** {@return the slot of a chunk, now in use, or {@link #NONE}} */
  int take(long bytes, long alignment) {
    long rounded = roundedBytes(bytes);
    chunks.makeRoom();
    int slot = takeFree(rounded, alignment);
    if (slot == NONE) {
      slot = takeOfMore(rounded, alignment);
    }
    return slot == NONE ? NONE : use(slot, bytes, rounded, alignment);
  }

  /** {@return a chunk for a request that no chunk holds yet, or {@link #NONE}} */
  private int takeOfMore(long rounded, long alignment) {
    boolean isMore = extend(rounded, alignment);
    if (!isMore && collects && mayHelp(rounded, alignment)) {
      // It may help until the last one is gone: what they have and what the limit leaves is as
      // much.
      Iterator<AllocationRegion> garbage = freeRegions().iterator();
      while (!isMore && garbage.hasNext()) {
        giveBack(garbage.next());
        isMore = extend(rounded, alignment);
      }
    }
    return isMore ? takeFreeOrGrown(rounded, alignment) : NONE;
  }

  /** {@return a chunk for a request that the memory that came last holds} */
  private int takeFreeOrGrown(long rounded, long alignment) {
    int slot = takeFree(rounded, alignment);
    if (slot == NONE) {
      // Too many chunks before it do not hold the request, and it is too short to be found else.
      free.remove(grown);
      slot = grown;
    }
    return slot;
  }

  private int takeFree(long rounded, long alignment) {
    return alignment <= QUANTUM_BYTES
        ? free.takeFirst(rounded)
        : free.takeFirst(rounded, alignment);
  }

  private int use(int found, long bytes, long rounded, long alignment) {
    int slot = found;
    long padding =
        alignment <= QUANTUM_BYTES ? 0 : FreeChunks.paddingBytes(chunks.address(slot), alignment);
    if (padding > 0) {
      int aligned = chunks.cut(slot, padding);
      free.add(slot);
      slot = aligned;
    }
    long rest = chunks.bytes(slot) - rounded;
    if (rest >= rounded || rest >= maxDeadBytes) {
      free.add(chunks.cut(slot, rounded));
    }
    chunks.use(slot, bytes, ++allocations);
    bytesInUse += chunks.bytes(slot);
    requestedBytesInUse += bytes;
    peakBytesInUse = Math.max(peakBytesInUse, bytesInUse);
    largestChunkBytes = Math.max(largestChunkBytes, chunks.bytes(slot));
    return slot;
  }

  /** Lets a chunk in use answer another request, which fits in it. */
  void reuse(int slot, long bytes) {
    requestedBytesInUse += bytes - chunks.requestedBytes(slot);
    chunks.use(slot, bytes, ++allocations);
  }

  /** Frees a chunk in use, and gives the end of its region back where that is large enough. */
  void free(int freed) {
    int slot = coalesce(freed);
    if (chunks.bytes(slot) >= trimThresholdBytes && isFence(chunks.next(slot))) {
      trimEnd(chunks.address(slot));
    }
  }

  /** Frees a chunk in use and {@return the free chunk that it is in then} */
  private int coalesce(int freed) {
    int slot = freed;
    bytesInUse -= chunks.bytes(slot);
    requestedBytesInUse -= chunks.requestedBytes(slot);
    chunks.free(slot);
    int next = chunks.next(slot);
    if (chunks.isFree(next)) {
      free.remove(next);
      chunks.takeInNext(slot);
    }
    int previous = chunks.previous(slot);
    if (chunks.isFree(previous)) {
      free.remove(previous);
      chunks.takeInNext(previous);
      slot = previous;
    }
    free.add(slot);
    return slot;
  }

  private boolean isFence(int slot) {
    return chunks.allocationId(slot) == ChunkTable.FENCE;
  }

  private void trimEnd(long address) {
    AllocationRegion region = regions.find(address).orElseThrow();
    if (isFree(region)) {
      giveBack(region);
    } else if (expands) { // else the end could not be had again
      shorten(region);
    }
  }

  // More memory.

  /** Gets memory for a request and {@return whether there is more} */
  private boolean extend(long rounded, long alignment) {
    refused = false;
    return expands ? expandOrAddRegion(rounded, alignment) : addRegion(rounded, alignment);
  }

  private boolean expandOrAddRegion(long rounded, long alignment) {
    long before = regions.bytes();
    List<AllocationRegion> refusing = new ArrayList<>();
    boolean isMore = expand(rounded, alignment, refusing) || addRegion(rounded, alignment);
    long more = regions.bytes() - before;
    for (AllocationRegion region : refusing) {
      if (isMore && lackingBytes(region, rounded, alignment) <= more) {
        region.fix();
        collects = true;
        expands &= region.isLengthened();
      }
    }
    return isMore;
  }

  private boolean addRegion(long rounded, long alignment) {
    long available = limitBytes - regions.bytes();
    long needed = neededBytes(rounded, alignment);
    if (needed > available) {
      return false;
    }
    if (expands) {
      return addRegion(needed, needed, false);
    }
    if (options.growth() == RegionGrowth.EXPANDABLE) {
      nextRegionBytes = twiceTheLargestBytes();
    }
    boolean grown = false;
    while (nextRegionBytes < needed) {
      nextRegionBytes = nextRegionBytes > Long.MAX_VALUE / 4 ? needed : 2 * nextRegionBytes;
      grown = true;
    }
    return addRegion(Math.min(nextRegionBytes, available), needed, !grown);
  }

  /** {@return the size of the next region; regions that are given back do not count any more} */
  private long twiceTheLargestBytes() {
    long largest = 0;
    for (AllocationRegion region : regions.regions()) {
      largest = Math.max(largest, region.bytes());
    }
    long first = roundedUp(options.firstRegionBytes(), granularityBytes);
    long doubled = largest > Long.MAX_VALUE / 4 ? largest : 2 * largest;
    return Math.max(Math.min(limitBytes, first), doubled);
  }

  private boolean addRegion(long wanted, long needed, boolean nextOneDoubles) {
    long bytes = wanted;
    OptionalLong address = subAllocator.allocate(bytes);
    while (address.isEmpty()) {
      everRefused = true;
      long less = lessBytes(bytes, needed);
      if (less < needed) {
        refused = true;
        if (regions.bytes() == 0) {
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
    if (nextOneDoubles && nextRegionBytes <= Long.MAX_VALUE / 4) {
      nextRegionBytes *= 2;
    }
    add(address.getAsLong(), bytes);
    return true;
  }

  /**
   * {@return the bytes of the next attempt after a refusal; fewer than needed ends the attempts}
   */
  private long lessBytes(long refusedBytes, long needed) {
    // In the reference a float is multiplied; at least one step down, so that it ends.
    long less = roundedUp((long) (refusedBytes * 0.9f), granularityBytes);
    less = Math.min(less, refusedBytes - granularityBytes);
    // An expandable region has what is needed; doubling is to refuse nothing that this one gets.
    boolean isExactLeft = options.growth() == RegionGrowth.EXPANDABLE && refusedBytes > needed;
    return isExactLeft ? Math.max(less, needed) : less;
  }

  private void add(long address, long bytes) {
    if (address % alignmentBytes != 0) {
      subAllocator.free(address, bytes);
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the sub-allocator of '%s' gave a region at %d, which is no multiple of %d",
              name,
              address,
              alignmentBytes));
    }
    if (address < 0 || bytes - 1 > Long.MAX_VALUE - address) {
      subAllocator.free(address, bytes);
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the sub-allocator of '%s' gave a region of %d bytes at 0x%x, which ends beyond 2^63; give regions below that",
              name,
              bytes,
              address));
    }
    Optional<AllocationRegion> overlapped = regions.overlapped(address, bytes);
    if (overlapped.isPresent()) {
      // It is not given back: that may take the other region's memory away.
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "the sub-allocator of '%s' gave a region of %d bytes at %d, which overlaps the one of %d bytes at %d",
              name,
              bytes,
              address,
              overlapped.get().bytes(),
              overlapped.get().address()));
    }
    grown = addFree(chunks, free, regions, address, bytes);
    peakReservedBytes = Math.max(peakReservedBytes, regions.bytes());
  }

  /** Adds a region and {@return the free chunk that it is} */
  private static int addFree(
      ChunkTable chunks, FreeChunks free, RegionManager regions, long address, long bytes) {
    int fence = chunks.addFence(address + bytes);
    int chunk = chunks.add(address, bytes);
    chunks.link(fence, chunk);
    chunks.link(chunk, fence);
    regions.add(new AllocationRegion(address, bytes, fence));
    free.add(chunk);
    return chunk;
  }

  /** Moves the end of a region, the highest that can be, by what a request lacks there. */
  private boolean expand(long rounded, long alignment, List<AllocationRegion> refusing) {
    long available = limitBytes - regions.bytes();
    for (int i = regions.regions().size() - 1; i >= 0; i--) {
      AllocationRegion region = regions.regions().get(i);
      long lacking = lackingBytes(region, rounded, alignment);
      // A region cannot grow beyond the end of the address space; a new one is asked for then.
      long room = Long.MAX_VALUE - granularityBytes - region.end();
      if (lacking <= Math.min(available, room) && !region.isFixed()) {
        long newBytes = roundedUp(region.bytes() + lacking, granularityBytes);
        if (subAllocator.resize(region.address(), region.bytes(), newBytes)) {
          refusedToLengthen = false;
          lengthen(region, newBytes);
          return true;
        }
        refused = true;
        everRefused = true;
        refusedToLengthen = true;
        refusing.add(region);
      }
    }
    return false;
  }

  /** {@return how much longer a region has to be for a request to fit at its end} */
  long lackingBytes(AllocationRegion region, long rounded, long alignment) {
    int last = chunks.previous(region.fence());
    long tail = chunks.isFree(last) ? chunks.bytes(last) : 0;
    long padding =
        alignment <= QUANTUM_BYTES ? 0 : FreeChunks.paddingBytes(region.end() - tail, alignment);
    return rounded > Long.MAX_VALUE - padding ? Long.MAX_VALUE : rounded + padding - tail;
  }

  private void lengthen(AllocationRegion region, long newBytes) {
    long more = newBytes - region.bytes();
    int fence = region.fence();
    int last = chunks.previous(fence);
    if (chunks.isFree(last)) {
      free.remove(last);
      chunks.setBytes(last, chunks.bytes(last) + more);
    } else {
      int added = chunks.add(region.end(), more);
      chunks.link(last, added);
      chunks.link(added, fence);
      last = added;
    }
    free.add(last);
    grown = last;
    moveEnd(region, newBytes);
    peakReservedBytes = Math.max(peakReservedBytes, regions.bytes());
  }

  private void moveEnd(AllocationRegion region, long newBytes) {
    regions.resize(region, newBytes);
    chunks.moveFence(region.fence(), region.end());
  }

  // Memory given back.

  /** {@return whether there are wholly free regions, and the limit allows one region instead} */
  boolean mayHelp(long rounded, long alignment) {
    long freeBytes = freeRegionBytes();
    long available = limitBytes - regions.bytes();
    return freeBytes > 0 && neededBytes(rounded, alignment) <= available + freeBytes;
  }

  /**
   * {@return true if frees may make room for a request that has just been tried: a region is long
   * enough, or becomes it within the limit, or regions go back and the device did not refuse}
   */
  boolean freesMayServe(long bytes, long alignment) {
    long rounded = roundedBytes(bytes);
    for (AllocationRegion region : regions.regions()) {
      long longer = lengthens(region) ? limitBytes - regions.bytes() : 0;
      long padding = FreeChunks.paddingBytes(region.address(), Math.max(QUANTUM_BYTES, alignment));
      if (rounded - longer <= region.bytes() - padding) {
        return true;
      }
    }
    boolean regionsGoBack = collects || trimThresholdBytes < Long.MAX_VALUE;
    long needed = neededBytes(rounded, alignment);
    return regionsGoBack && !refused && needed <= limitBytes && needed < refusedWithoutRegions;
  }

  long freeRegionBytes() {
    return freeRegions().stream().mapToLong(AllocationRegion::bytes).sum();
  }

  /** {@return the wholly free regions, the largest first, of equal ones the lowest} */
  private List<AllocationRegion> freeRegions() {
    return regions.regions().stream()
        .filter(this::isFree)
        .sorted(Comparator.comparingLong(AllocationRegion::bytes).reversed())
        .toList();
  }

  private boolean isFree(AllocationRegion region) {
    int first = chunks.next(region.fence());
    return chunks.isFree(first) && chunks.bytes(first) == region.bytes();
  }

  /** Gives a wholly free region back, which is kept if the sub-allocator throws. */
  private void giveBack(AllocationRegion region) {
    subAllocator.free(region.address(), region.bytes());
    free.remove(chunks.next(region.fence()));
    chunks.remove(chunks.next(region.fence()));
    chunks.removeFence(region.fence());
    regions.remove(region);
  }

  /** Gives back what can be, {@return how many bytes that were}, or throws what failed of it */
  long trim() {
    long before = regions.bytes();
    List<RuntimeException> failures = new ArrayList<>();
    attempt(freeRegions(), this::giveBack, failures);
    if (options.growth() == RegionGrowth.EXPANDABLE) {
      attempt(regions.regions(), this::shorten, failures);
    }
    throwFirst(failures);
    return before - regions.bytes();
  }

  private static void attempt(
      List<AllocationRegion> regions,
      Consumer<AllocationRegion> action,
      List<RuntimeException> failures) {
    for (AllocationRegion region : regions) {
      try {
        action.accept(region);
      } catch (RuntimeException failure) {
        failures.add(failure);
      }
    }
  }

  private static void throwFirst(List<RuntimeException> failures) {
    if (!failures.isEmpty()) {
      RuntimeException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
  }

  private void shorten(AllocationRegion region) {
    int fence = region.fence();
    int last = chunks.previous(fence);
    if (!chunks.isFree(last) || isFree(region)) { // a free one was to go whole, and was kept
      return;
    }
    long newBytes = roundedUp(chunks.address(last) - region.address(), granularityBytes);
    if (newBytes == region.bytes()
        || !subAllocator.resize(region.address(), region.bytes(), newBytes)) {
      return;
    }
    free.remove(last);
    long kept = region.address() + newBytes - chunks.address(last);
    if (kept > 0) {
      chunks.setBytes(last, kept);
      free.add(last);
    } else {
      chunks.link(chunks.previous(last), fence);
      chunks.remove(last);
    }
    moveEnd(region, newBytes);
  }

  /** {@return the regions that hold free bytes, and what keeps them} */
  List<TrimResult.PinnedRegion> pinned() {
    List<TrimResult.PinnedRegion> pinned = new ArrayList<>();
    for (AllocationRegion region : regions.regions()) {
      List<Integer> inUse = slots(region).stream().filter(slot -> !chunks.isFree(slot)).toList();
      long freeBytes = region.bytes() - inUse.stream().mapToLong(chunks::bytes).sum();
      if (freeBytes > 0 && !inUse.isEmpty()) {
        pinned.add(
            new TrimResult.PinnedRegion(
                region.address(),
                region.bytes(),
                freeBytes,
                inUse.size(),
                allocation(inUse.getLast())));
      }
    }
    return pinned;
  }

  /**
   * Frees everything and {@return this space as it was before, to read}
   *
   * <p>Costs O(regions), however many chunks they have.
   */
  RegionSpace empty() {
    ChunkTable emptyChunks = new ChunkTable();
    FreeChunks emptyFree = new FreeChunks(emptyChunks);
    RegionManager emptyRegions = new RegionManager();
    for (AllocationRegion region : regions.regions()) {
      emptyChunks.makeRoom();
      addFree(emptyChunks, emptyFree, emptyRegions, region.address(), region.bytes());
    }
    RegionSpace before = new RegionSpace(this, chunks, free, regions);
    chunks = emptyChunks;
    free = emptyFree;
    regions = emptyRegions;
    bytesInUse = 0;
    requestedBytesInUse = 0;
    return before;
  }

  /** Gives all regions back, which are free, or throws what failed of it: such regions are kept. */
  void giveAllBack() {
    List<RuntimeException> failures = new ArrayList<>();
    attempt(List.copyOf(regions.regions()), this::giveBack, failures);
    throwFirst(failures);
  }

  // What there is.

  /** {@return the slots of a region's chunks by ascending address} */
  List<Integer> slots(AllocationRegion region) {
    List<Integer> slots = new ArrayList<>();
    for (int slot = chunks.next(region.fence()); slot != region.fence(); slot = chunks.next(slot)) {
      slots.add(slot);
    }
    return slots;
  }

  /** {@return the slot of the chunk that an address lies in, if it lies in a region} */
  Optional<Integer> chunkAround(long address) {
    return regions
        .find(address)
        .map(region -> {
          int slot = chunks.next(region.fence());
          while (address - chunks.address(slot) >= chunks.bytes(slot)) {
            slot = chunks.next(slot);
          }
          return slot;
        });
  }

  /** {@return what is in use in a chunk} */
  Allocation allocation(int slot) {
    Origin origin = chunks.origin(slot);
    return new Allocation(
        chunks.allocationId(slot),
        chunks.address(slot),
        chunks.requestedBytes(slot),
        chunks.bytes(slot),
        origin.tag(),
        origin.frames());
  }

  /** {@return the slots of the chunks in use, by ascending address} */
  List<Integer> slotsInUse() {
    return regions.regions().stream()
        .flatMap(region -> slots(region).stream())
        .filter(slot -> !chunks.isFree(slot))
        .toList();
  }

  /** {@return what is in use, by ascending address} */
  List<Allocation> allocations() {
    return slotsInUse().stream().map(this::allocation).toList();
  }

  /** {@return whether the sub-allocator refused what the limit allowed for the last request} */
  boolean refused() {
    return refused;
  }

  /** {@return true if the sub-allocator ever refused anything, so that it may do so again} */
  boolean everRefused() {
    return everRefused;
  }

  /** {@return true if a region can be longer, as far as is known} */
  boolean lengthens(AllocationRegion region) {
    return expands && !region.isFixed() && !refusedToLengthen;
  }

  /** {@return true if wholly free regions are given back before a request fails} */
  boolean collects() {
    return collects;
  }

  /** {@return from which size on a free end is given back at once} */
  long trimThresholdBytes() {
    return trimThresholdBytes;
  }

  long granularityBytes() {
    return granularityBytes;
  }

  /** {@return what regions may have together} */
  long limitBytes() {
    return limitBytes;
  }

  long reservedBytes() {
    return regions.bytes();
  }

  AllocatorStatistics statistics() {
    int largest = free.largest();
    return new AllocatorStatistics(
        allocations,
        usedCount(),
        requestedBytesInUse,
        bytesInUse,
        peakBytesInUse,
        largestChunkBytes,
        options.limitBytes(),
        regions.bytes(),
        peakReservedBytes,
        largest == NONE ? 0 : chunks.bytes(largest));
  }

  private int usedCount() {
    return chunks.count() - free.count() - regions.regions().size();
  }

  void clearPeaks() {
    peakBytesInUse = bytesInUse;
    peakReservedBytes = regions.bytes();
    largestChunkBytes = 0;
  }

  // Invariants.

  void checkInvariants() {
    BitSet seen = new BitSet();
    int seenCount = 0;
    long usedBytes = 0;
    long requestedBytes = 0;
    int freeCount = 0;
    for (AllocationRegion region : regions.regions()) {
      long expected = region.address();
      int previous = region.fence();
      for (int slot = chunks.next(previous); slot != region.fence(); slot = chunks.next(slot)) {
        check(!seen.get(slot) && chunks.address(slot) == expected, "I1", slot);
        seen.set(slot);
        seenCount++;
        check(chunks.previous(slot) == previous, "I1", slot);
        check(chunks.find(expected) == slot, "I4", slot);
        check(!(chunks.isFree(previous) && chunks.isFree(slot)), "I2", slot);
        check(chunks.address(slot) % QUANTUM_BYTES == 0, "I6", slot);
        check(chunks.bytes(slot) % QUANTUM_BYTES == 0 && chunks.bytes(slot) > 0, "I6", slot);
        if (chunks.isFree(slot)) {
          freeCount++;
          check(free.contains(slot), "I3", slot);
          check(free.isSound(slot), "I7", slot);
        } else {
          check(!free.contains(slot), "I3", slot);
          usedBytes += chunks.bytes(slot);
          requestedBytes += chunks.requestedBytes(slot);
        }
        previous = slot;
        expected = chunks.end(slot);
      }
      check(expected == region.end(), "I1", region.fence());
      check(chunks.address(region.fence()) == expected, "I1", region.fence());
      check(region.bytes() % granularityBytes == 0, "I6", region.fence());
    }
    check(freeCount == free.count(), "I3", NONE);
    check(seenCount == freeCount + usedCount(), "I4", NONE);
    long reserved = regions.regions().stream().mapToLong(AllocationRegion::bytes).sum();
    check(reserved == regions.bytes(), "I5", NONE);
    check(usedBytes == bytesInUse && requestedBytes == requestedBytesInUse, "I5", NONE);
  }

  private void check(boolean holds, String invariant, int slot) {
    if (!holds) {
      String chunk =
          slot == NONE
              ? "the totals"
              : String.format(
                  Locale.ROOT, "chunk [%d, %d)", chunks.address(slot), chunks.end(slot));
      throw new AssertionError(
          String.format(
              Locale.ROOT, "%s of allocator '%s' is broken at %s", invariant, name, chunk));
    }
  }
}
