package dev.stowage.allocator;

import dev.stowage.allocator.internal.RestoredChunk;
import java.util.List;
import java.util.Optional;

/** The memory of an allocator: takes chunks for requests, frees them, and counts bytes. */
final class RegionSpace {

  static final int NONE = ChunkTable.NONE;

  /** The most slots for which {@link #copy} allocates arrays under the lock: 800 kB. */
  private static final int COPIED_AT_ONCE = 1 << 14;

  private final TiledRegions tiled;
  private final ChunkTable chunks;
  private final ChunkIndex index;
  private final FreeChunks free;
  private final RegionSupply supply;

  private final long splitThresholdBytes;
  private long trimThresholdBytes;

  /** The limit in statistics, at most a granule above the limit of the supply. */
  private long limitBytes;

  private long allocations;

  /** The allocations that are slabs of a pool, which counts their slots. */
  private long slabs;

  private long bytesInUse;
  private long requestedBytesInUse;
  private long peakBytesInUse;
  private long largestChunkBytes;

  /**
   * Creates a space without regions.
   *
   * @throws IllegalArgumentException if the sub-allocator's granularity or alignment is not a power
   *     of two from 256
   */
  RegionSpace(
      String name,
      SubAllocator subAllocator,
      BfcOptions options,
      PlacementRule placement,
      Relatives relatives) {
    tiled = new TiledRegions(placement::freeChunks);
    chunks = tiled.chunks();
    index = tiled.index();
    free = tiled.free();
    supply = new RegionSupply(name, subAllocator, options, tiled, relatives);
    limitBytes = options.limitBytes();
    splitThresholdBytes = options.splitThresholdBytes();
    trimThresholdBytes = supply.trimThresholdBytes();
  }

  private RegionSpace(RegionSpace source, TiledRegions tiled, Relatives relatives) {
    this.tiled = tiled;
    chunks = tiled.chunks();
    index = tiled.index();
    free = tiled.free();
    supply = source.supply.copy(tiled, relatives);
    limitBytes = source.limitBytes;
    splitThresholdBytes = source.splitThresholdBytes;
    trimThresholdBytes = source.trimThresholdBytes;
    allocations = source.allocations;
    slabs = source.slabs;
    bytesInUse = source.bytesInUse;
    requestedBytesInUse = source.requestedBytesInUse;
    peakBytesInUse = source.peakBytesInUse;
    largestChunkBytes = source.largestChunkBytes;
  }

  /**
   * {@return this space as it is now, for reading without the lock; empty if there is too little
   * room}
   *
   * <p>Copies the arrays, which takes some milliseconds for a million chunks. A copy must not be
   * changed, and {@link #find(long)} finds nothing in it.
   *
   * @param room for the chunks, which the copy takes over; if empty, the method allocates it for a
   *     moderate number of chunks
   */
  Optional<RegionSpace> copy(Optional<ChunkTable.Room> room) {
    int slots = chunks.usedSlots();
    if (room.isEmpty() ? slots > COPIED_AT_ONCE : !room.get().holds(slots)) {
      return Optional.empty();
    }
    TiledRegions copied = tiled.copy(room.orElseGet(() -> new ChunkTable.Room(slots)));
    return Optional.of(new RegionSpace(this, copied, supply.relatives().copy()));
  }

  /**
   * {@return a space with the same regions, all of them free; after that, this space is read-only}
   *
   * <p>Costs O(regions), not O(chunks).
   */
  RegionSpace emptied() {
    RegionSpace emptied = new RegionSpace(this, tiled.emptied(), supply.relatives());
    emptied.bytesInUse = 0;
    emptied.requestedBytesInUse = 0;
    return emptied;
  }

  // Requests.

  /** {@return the slot of a chunk, now in use, or {@link #NONE}} */
  int take(long bytes, long alignment, PlacementRule placement) {
    long rounded = Quantum.roundedBytes(bytes);
    chunks.makeRoom();
    index.makeRoom();
    int slot = placement.take(tiled, supply, rounded, alignment, splitThresholdBytes);
    return slot == NONE ? NONE : use(slot, bytes);
  }

  /** {@return the slot of a free chunk, now in use, or {@link #NONE}, without more memory} */
  int takeHeld(long bytes, long alignment, PlacementRule placement) {
    long rounded = Quantum.roundedBytes(bytes);
    chunks.makeRoom();
    index.makeRoom();
    int slot = placement.takeHeld(tiled, rounded, alignment, splitThresholdBytes);
    return slot == NONE ? NONE : use(slot, bytes);
  }

  /**
   * Adds a region with chunks in use.
   *
   * @throws IllegalStateException if the sub-allocator refuses the region
   */
  void restore(long bytes, List<RestoredChunk> inUse) {
    tiled.makeRoom();
    int rest = supply.restore(bytes);
    long end = chunks.end(rest);
    for (RestoredChunk chunk : inUse) {
      tiled.makeRoom();
      free.remove(rest);
      if (free instanceof TwoEndedChunks ends) {
        ends.takeGap(chunk.address() + chunk.bytes(), end);
      }
      int slot = tiled.freeFront(rest, chunk.address() - chunks.address(rest));
      tiled.makeRoom();
      rest = chunks.next(tiled.fit(slot, chunk.bytes(), Quantum.BYTES, Quantum.BYTES));
      chunks.setOrigin(use(slot, chunk.requestedBytes()), Origin.NONE);
    }
  }

  /**
   * Moves the end of the one region up.
   *
   * @throws IllegalStateException if the sub-allocator refuses the bytes
   */
  void lengthen(long bytes) {
    tiled.makeRoom();
    supply.lengthen(bytes);
    limitBytes = Math.max(limitBytes, tiled.bytes());
  }

  private int use(int slot, long bytes) {
    long chunkBytes = chunks.bytes(slot);
    chunks.use(slot, bytes, ++allocations);
    bytesInUse += chunkBytes;
    requestedBytesInUse += bytes;
    peakBytesInUse = Math.max(peakBytesInUse, bytesInUse);
    largestChunkBytes = Math.max(largestChunkBytes, chunkBytes);
    return slot;
  }

  /** Gives a chunk in use to another request, which fits in it. */
  void reuse(int slot, long bytes) {
    requestedBytesInUse += bytes - chunks.requestedBytes(slot);
    chunks.use(slot, bytes, ++allocations);
  }

  /** Lends a chunk in use to a stripe of the front cache, which counts its requested bytes. */
  void lend(int slot, int stripe) {
    requestedBytesInUse -= chunks.requestedBytes(slot);
    chunks.lend(slot, stripe);
  }

  /** Takes back a lent chunk that is in use. */
  void takeBack(int slot, long bytes, Origin origin) {
    requestedBytesInUse += bytes;
    chunks.use(slot, bytes, ++allocations);
    chunks.setOrigin(slot, origin);
  }

  /** Takes back a lent chunk or a slab that is free, and calls no foreign code. */
  void takeBackFree(int slot) {
    bytesInUse -= chunks.bytes(slot);
    requestedBytesInUse -= chunks.requestedBytes(slot);
    coalesce(slot);
  }

  /** Counts requests that took lent chunks and were freed. */
  void countAllocations(long more) {
    allocations += more;
  }

  /** Counts a chunk that became a slab. */
  void countSlab() {
    slabs++;
  }

  /**
   * Frees a chunk in use, and {@return true if the end of its region is free now}
   *
   * <p>If the free end is large enough, it goes back to the sub-allocator.
   */
  boolean free(int freed) {
    bytesInUse -= chunks.bytes(freed);
    requestedBytesInUse -= chunks.requestedBytes(freed);
    int slot = coalesce(freed);
    boolean isEnd = chunks.isFence(chunks.next(slot));
    if (isEnd && chunks.bytes(slot) >= trimThresholdBytes) {
      supply.trimEnd(chunks.address(slot));
    }
    return isEnd;
  }

  /** {@return true if a free may return the end of a region} */
  boolean isTrimmingEnds() {
    return trimThresholdBytes < Long.MAX_VALUE;
  }

  /** Frees a chunk, merges it with free neighbours and {@return the merged chunk} */
  private int coalesce(int freed) {
    int slot = freed;
    chunks.free(slot);
    int next = chunks.next(slot);
    if (chunks.isFree(next)) {
      free.remove(next);
      mergeWithNext(slot);
    }
    int previous = chunks.previous(slot);
    if (chunks.isFree(previous)) {
      free.remove(previous);
      mergeWithNext(previous);
      slot = previous;
    }
    free.add(slot);
    return slot;
  }

  private void mergeWithNext(int slot) {
    index.remove(chunks.next(slot));
    chunks.mergeWithNext(slot);
  }

  /**
   * Returns free regions and, if regions are expandable, free ends to the sub-allocator, and
   * {@return the number of bytes}
   *
   * <p>If the sub-allocator throws for a region, this method still returns the others, and then
   * throws the first exception.
   */
  long trim() {
    return supply.trim();
  }

  /**
   * Sets the limit as {@link RegionSupply#setLimit}.
   *
   * <p>Exceptions are handled as in {@link #trim}.
   */
  void setLimit(long bytes) {
    try {
      supply.setLimit(bytes);
    } finally {
      limitBytes = Math.max(bytes, supply.heldBytes());
    }
  }

  /** {@return the most bytes of all regions} */
  long limitBytes() {
    return limitBytes;
  }

  /** Returns free memory now, and more whenever a region or its end becomes free. */
  void returnWhenFree() {
    trimThresholdBytes = Quantum.BYTES;
    supply.trim();
  }

  /** {@return the limit of this space that remains, if the others hold what they hold now} */
  long usableLimitBytes() {
    Relatives relatives = supply.relatives();
    long ownBytes = limitBytes - relatives.poolBytes();
    return relatives.leftBytes() < ownBytes - tiled.bytes() ? supply.usableLimitBytes() : ownBytes;
  }

  /** Returns all regions, which must be free. Exceptions are handled as in {@link #trim}. */
  void releaseAll() {
    supply.releaseAll();
  }

  /** {@return true if frees may make room for a request that has just failed} */
  boolean freesMayServe(long bytes, long alignment) {
    return supply.freesMayServe(Quantum.roundedBytes(bytes), alignment);
  }

  // Reading.

  TiledRegions tiled() {
    return tiled;
  }

  ChunkTable chunks() {
    return chunks;
  }

  RegionSupply supply() {
    return supply;
  }

  /** {@return the regions by ascending address} */
  List<AllocationRegion> regions() {
    return tiled.regions();
  }

  /** {@return the slot of the chunk in use at an address, or {@link #NONE}} */
  int find(long address) {
    int slot = index.find(address);
    return slot == NONE || chunks.isFree(slot) ? NONE : slot;
  }

  /** {@return the allocation of a chunk in use} */
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

  long bytesInUse() {
    return bytesInUse;
  }

  long requestedBytesInUse() {
    return requestedBytesInUse;
  }

  AllocatorStatistics statistics() {
    int largest = free.largest();
    return new AllocatorStatistics(
        allocations - slabs,
        tiled.usedCount(),
        requestedBytesInUse,
        bytesInUse,
        peakBytesInUse,
        largestChunkBytes,
        limitBytes,
        tiled.bytes(),
        supply.peakBytes(),
        largest == NONE ? 0 : chunks.bytes(largest));
  }

  void clearPeaks() {
    peakBytesInUse = bytesInUse;
    largestChunkBytes = 0;
    supply.clearPeak();
  }
}
