package dev.stowage.core.bfc;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Best fit with coalescing over the regions of a device, as TensorFlow's BFC allocator.
 *
 * <p>A request is rounded up to 256 bytes and takes the smallest free chunk that holds it, the
 * lowest of equal ones. A freed chunk grows together with free neighbours. Where no chunk is large
 * enough a region is added. Addresses depend on nothing but the requests and what the sub-allocator
 * answers.
 *
 * <p>Safe for use by many threads. Allocating and freeing cost O(log c) for c chunks, but for a
 * scan where an alignment above 256 is asked for. A chunk costs at most 96 bytes of the heap, a
 * byte of a region nothing.
 *
 * <p>From xla/tsl/framework/bfc_allocator (2026); placements are the same.
 */
public final class BfcAllocator implements AutoCloseable {

  /*
   *   I1  chunks tile every region: the first starts with it, each where the last one ends;
   *   I2  no two neighbouring chunks are free;
   *   I3  the free chunks are those in `free`, each once;
   *   I4  the chunks in use are those in `used`, each once;
   *   I5  bytes in use, requested bytes in use and reserved bytes are the sums over chunks and regions;
   *   I6  addresses and sizes of chunks are multiples of 256.
   */

  private static final int NONE = ChunkTable.NONE;
  private static final long QUANTUM_BYTES = ChunkTable.QUANTUM_BYTES;

  private final String name;
  private final SubAllocator subAllocator;
  private final BfcOptions options;

  private final ChunkTable chunks = new ChunkTable();
  private final FreeChunks free = new FreeChunks(chunks);
  private final UsedChunks used = new UsedChunks(chunks);
  private final RegionManager regions = new RegionManager();

  /** What the next region will have, at least. */
  private long nextRegionBytes;

  private long allocations;
  private long bytesInUse;
  private long requestedBytesInUse;
  private long peakBytesInUse;
  private long largestChunkBytes;
  private long peakReservedBytes;
  private boolean refused;
  private boolean closed;

  /**
   * An allocator that holds nothing yet.
   *
   * @param name how messages call it
   * @param subAllocator what gives regions, at addresses that are multiples of 256
   * @param options how it grows, splits and gives up
   */
  public BfcAllocator(String name, SubAllocator subAllocator, BfcOptions options) {
    this.name = name;
    this.subAllocator = subAllocator;
    this.options = options;
    long limit = floor(options.limitBytes());
    nextRegionBytes =
        options.growth() ? Math.min(limit, rounded(options.firstRegionBytes())) : limit;
  }

  /**
   * {@return the address of fresh bytes}
   *
   * @param bytes how many bytes
   * @throws IllegalArgumentException if {@code bytes < 1}
   * @throws BfcOutOfMemoryException if there is no room
   */
  public long allocate(long bytes) {
    return allocate(bytes, QUANTUM_BYTES);
  }

  /**
   * {@return the address of fresh bytes at a multiple of an alignment}
   *
   * @param bytes how many bytes
   * @param alignment a power of two; below 256 it is 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is no power of two
   * @throws BfcOutOfMemoryException if there is no room
   */
  public synchronized long allocate(long bytes, long alignment) {
    int slot = take(bytes, alignment);
    if (slot == NONE) {
      long rounded = rounded(bytes);
      AllocatorStatistics now = statistics();
      throw new BfcOutOfMemoryException(
          name, verdict(rounded, now), bytes, rounded, paddingBytes(alignment), now);
    }
    return chunks.address(slot);
  }

  /**
   * {@return the address of fresh bytes, or empty if there is no room}
   *
   * <p>Running out is an answer, not an error: the caller may free, wait or fail.
   *
   * @param bytes how many bytes
   * @param alignment a power of two; below 256 it is 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is no power of two
   */
  public synchronized OptionalLong tryAllocate(long bytes, long alignment) {
    int slot = take(bytes, alignment);
    return slot == NONE ? OptionalLong.empty() : OptionalLong.of(chunks.address(slot));
  }

  /** {@return the slot of a chunk, now in use, or {@link ChunkTable#NONE}} */
  private int take(long bytes, long alignment) {
    checkOpen();
    if (bytes < 1) {
      throw new IllegalArgumentException("a request is for no bytes: bytes=" + bytes);
    }
    if (Long.bitCount(alignment) != 1 || alignment < 0) {
      throw new IllegalArgumentException("an alignment is no power of two: alignment=" + alignment);
    }
    long rounded = rounded(bytes);
    int slot = find(rounded, alignment);
    while (slot == NONE && (extend(rounded, alignment) || giveBackOne(rounded, alignment))) {
      slot = find(rounded, alignment);
    }
    return slot == NONE ? NONE : use(slot, bytes, rounded, alignment);
  }

  private int find(long rounded, long alignment) {
    return alignment <= QUANTUM_BYTES ? free.first(rounded) : free.first(rounded, alignment);
  }

  private int use(int found, long bytes, long rounded, long alignment) {
    int slot = found;
    free.remove(slot);
    long padding =
        alignment <= QUANTUM_BYTES ? 0 : FreeChunks.paddingBytes(chunks.address(slot), alignment);
    if (padding > 0) {
      int aligned = chunks.cut(slot, padding);
      free.add(slot);
      slot = aligned;
    }
    long rest = chunks.bytes(slot) - rounded;
    if (rest >= rounded || rest >= options.maxDeadBytes()) {
      free.add(chunks.cut(slot, rounded));
    }
    chunks.use(slot, bytes, ++allocations);
    used.add(slot);
    bytesInUse += chunks.bytes(slot);
    requestedBytesInUse += bytes;
    peakBytesInUse = Math.max(peakBytesInUse, bytesInUse);
    largestChunkBytes = Math.max(largestChunkBytes, chunks.bytes(slot));
    return slot;
  }

  /** Adds a region for a request and {@return whether there is one} */
  private boolean extend(long rounded, long alignment) {
    refused = false;
    long padding = paddingBytes(alignment);
    long available = floor(options.limitBytes()) - regions.bytes();
    if (rounded > available - padding) {
      return false;
    }
    long needed = rounded + padding;
    boolean grown = false;
    while (nextRegionBytes < needed) {
      nextRegionBytes = nextRegionBytes > Long.MAX_VALUE / 4 ? needed : 2 * nextRegionBytes;
      grown = true;
    }
    long bytes = Math.min(nextRegionBytes, available);
    OptionalLong address = subAllocator.allocate(bytes);
    while (address.isEmpty()) {
      // In the reference a float is multiplied; at least one step down, so that it ends.
      bytes = Math.min(rounded((long) (bytes * 0.9f)), bytes - QUANTUM_BYTES);
      if (bytes < needed) {
        refused = true;
        return false;
      }
      address = subAllocator.allocate(bytes);
    }
    if (!grown && nextRegionBytes <= Long.MAX_VALUE / 4) {
      nextRegionBytes *= 2;
    }
    addRegion(address.getAsLong(), bytes);
    return true;
  }

  private void addRegion(long address, long bytes) {
    if (address % QUANTUM_BYTES != 0) {
      subAllocator.free(address, bytes);
      throw new IllegalStateException(
          "the sub-allocator of '%s' gave a region at %d, which is no multiple of %d"
              .formatted(name, address, QUANTUM_BYTES));
    }
    int chunk = chunks.add(address, bytes);
    regions.add(new AllocationRegion(address, bytes, chunk));
    free.add(chunk);
    peakReservedBytes = Math.max(peakReservedBytes, regions.bytes());
  }

  /**
   * Gives the largest wholly free region back, if that may help a request, and {@return whether it
   * did}
   */
  private boolean giveBackOne(long rounded, long alignment) {
    if (!options.garbageCollection()) {
      return false;
    }
    List<AllocationRegion> freeRegions = freeRegions();
    long freeBytes = freeRegions.stream().mapToLong(AllocationRegion::bytes).sum();
    long available = floor(options.limitBytes()) - regions.bytes();
    if (freeRegions.isEmpty() || rounded > available + freeBytes - paddingBytes(alignment)) {
      return false;
    }
    giveBack(freeRegions.getFirst());
    return true;
  }

  /** {@return the wholly free regions, the largest first, of equal ones the lowest} */
  private List<AllocationRegion> freeRegions() {
    return regions.regions().stream()
        .filter(this::isFree)
        .sorted(Comparator.comparingLong(AllocationRegion::bytes).reversed())
        .toList();
  }

  private boolean isFree(AllocationRegion region) {
    return chunks.isFree(region.firstChunk())
        && chunks.bytes(region.firstChunk()) == region.bytes();
  }

  private void giveBack(AllocationRegion region) {
    free.remove(region.firstChunk());
    chunks.remove(region.firstChunk());
    regions.remove(region);
    subAllocator.free(region.address(), region.bytes());
  }

  /**
   * Gives all wholly free regions back to the sub-allocator and {@return how many bytes they had}
   *
   * @throws IllegalStateException if the allocator is closed
   */
  public synchronized long trim() {
    checkOpen();
    long bytes = 0;
    for (AllocationRegion region : freeRegions()) {
      giveBack(region);
      bytes += region.bytes();
    }
    return bytes;
  }

  /**
   * Frees what was allocated.
   *
   * @param address what {@link #allocate(long)} gave
   * @throws IllegalStateException if nothing is in use at {@code address}; the message says what is
   *     there, and nothing changes
   */
  public synchronized void free(long address) {
    int slot = used.remove(address);
    if (slot == NONE) {
      checkOpen();
      throw new IllegalStateException(
          "allocator '%s' has nothing to free at %d: %s"
              .formatted(name, address, describe(address)));
    }
    bytesInUse -= chunks.bytes(slot);
    requestedBytesInUse -= chunks.requestedBytes(slot);
    chunks.free(slot);
    int next = chunks.next(slot);
    if (next != NONE && chunks.isFree(next)) {
      free.remove(next);
      chunks.takeInNext(slot);
    }
    int previous = chunks.previous(slot);
    if (previous != NONE && chunks.isFree(previous)) {
      free.remove(previous);
      chunks.takeInNext(previous);
      slot = previous;
    }
    free.add(slot);
  }

  private String describe(long address) {
    Optional<AllocationRegion> region = regions.find(address);
    if (region.isEmpty()) {
      return "it lies in none of its %d regions".formatted(regions.regions().size());
    }
    int slot = region.get().firstChunk();
    while (chunks.end(slot) <= address) {
      slot = chunks.next(slot);
    }
    String where = "[%d, %d)".formatted(chunks.address(slot), chunks.end(slot));
    return chunks.isFree(slot)
        ? "already free, inside free chunk " + where
        : "inside chunk %s, allocation %d".formatted(where, chunks.allocationId(slot));
  }

  private OutOfMemoryVerdict verdict(long rounded, AllocatorStatistics now) {
    if (refused) {
      return OutOfMemoryVerdict.REFUSED_BY_DEVICE;
    }
    return now.freeBytes() >= rounded
        ? OutOfMemoryVerdict.EXTERNAL_FRAGMENTATION
        : OutOfMemoryVerdict.LIMIT_REACHED;
  }

  /** {@return what the allocator holds and has done} */
  public synchronized AllocatorStatistics statistics() {
    int largest = free.largest();
    return new AllocatorStatistics(
        allocations,
        used.count(),
        requestedBytesInUse,
        bytesInUse,
        peakBytesInUse,
        largestChunkBytes,
        options.limitBytes(),
        regions.bytes(),
        peakReservedBytes,
        largest == NONE ? 0 : chunks.bytes(largest));
  }

  /** Lets every peak be what is now, and forgets the largest chunk. */
  public synchronized void clearPeaks() {
    peakBytesInUse = bytesInUse;
    peakReservedBytes = regions.bytes();
    largestChunkBytes = 0;
  }

  /** {@return the regions' addresses and sizes, by ascending address} */
  public synchronized List<Region> regions() {
    return regions.regions().stream()
        .map(region -> new Region(region.address(), region.bytes()))
        .toList();
  }

  /**
   * A region that an allocator holds.
   *
   * @param address where it starts
   * @param bytes its size
   */
  public record Region(long address, long bytes) {}

  /** Gives all regions back, whatever is still in use in them. */
  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      for (AllocationRegion region : List.copyOf(regions.regions())) {
        forgetChunks(region);
        regions.remove(region);
        subAllocator.free(region.address(), region.bytes());
      }
      bytesInUse = 0;
      requestedBytesInUse = 0;
    }
  }

  private void forgetChunks(AllocationRegion region) {
    for (int slot = region.firstChunk(), next; slot != NONE; slot = next) {
      next = chunks.next(slot);
      if (chunks.isFree(slot)) {
        free.remove(slot);
      } else {
        used.remove(chunks.address(slot));
      }
      chunks.remove(slot);
    }
  }

  private void checkOpen() {
    if (closed) {
      throw new IllegalStateException("allocator '%s' is closed".formatted(name));
    }
  }

  /** {@return how far, at most, an address of the sub-allocator has to be moved up} */
  private static long paddingBytes(long alignment) {
    return Math.max(0, alignment - QUANTUM_BYTES);
  }

  /** {@return the next multiple of 256; {@link Long#MAX_VALUE}, which nothing holds, for none} */
  private static long rounded(long bytes) {
    return bytes > floor(Long.MAX_VALUE)
        ? Long.MAX_VALUE
        : Math.max(QUANTUM_BYTES, floor(bytes + QUANTUM_BYTES - 1));
  }

  private static long floor(long bytes) {
    return bytes & -QUANTUM_BYTES;
  }

  /**
   * Checks the invariants; costs O(chunks).
   *
   * @throws AssertionError that names the one that is broken
   */
  public synchronized void checkInvariants() {
    Set<Integer> seen = new HashSet<>();
    long usedBytes = 0;
    long requestedBytes = 0;
    int usedCount = 0;
    int freeCount = 0;
    for (AllocationRegion region : regions.regions()) {
      long expected = region.address();
      boolean previousFree = false;
      for (int slot = region.firstChunk(); slot != NONE; slot = chunks.next(slot)) {
        check(seen.add(slot) && chunks.address(slot) == expected, "I1", slot);
        check(!(previousFree && chunks.isFree(slot)), "I2", slot);
        check(chunks.address(slot) % QUANTUM_BYTES == 0, "I6", slot);
        check(chunks.bytes(slot) % QUANTUM_BYTES == 0 && chunks.bytes(slot) > 0, "I6", slot);
        if (chunks.isFree(slot)) {
          freeCount++;
          check(free.contains(slot) && used.find(expected) == NONE, "I3", slot);
        } else {
          usedCount++;
          check(used.find(expected) == slot && !free.contains(slot), "I4", slot);
          usedBytes += chunks.bytes(slot);
          requestedBytes += chunks.requestedBytes(slot);
        }
        previousFree = chunks.isFree(slot);
        expected = chunks.end(slot);
      }
      check(expected == region.address() + region.bytes(), "I1", region.firstChunk());
    }
    check(freeCount == free.count(), "I3", NONE);
    check(usedCount == used.count() && seen.size() == chunks.count(), "I4", NONE);
    long reserved = regions.regions().stream().mapToLong(AllocationRegion::bytes).sum();
    check(reserved == regions.bytes(), "I5", NONE);
    check(usedBytes == bytesInUse && requestedBytes == requestedBytesInUse, "I5", NONE);
  }

  private void check(boolean holds, String invariant, int slot) {
    if (!holds) {
      String chunk =
          slot == NONE
              ? "the totals"
              : "chunk [%d, %d)".formatted(chunks.address(slot), chunks.end(slot));
      throw new AssertionError(
          "%s of allocator '%s' is broken at %s".formatted(invariant, name, chunk));
    }
  }
}
