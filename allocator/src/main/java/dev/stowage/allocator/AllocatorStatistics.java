package dev.stowage.allocator;

import dev.stowage.allocator.internal.SlotUse;
import java.io.Serializable;

/**
 * The statistics of an allocator at one moment.
 *
 * @param allocations the number of requests that were granted
 * @param chunksInUse the number of allocations that are not freed yet
 * @param requestedBytesInUse the requested bytes of the allocations in use
 * @param bytesInUse the bytes of the chunks in use, with rounding and rests that were not split off
 * @param peakBytesInUse the most bytes in use at any time
 * @param largestChunkBytes the bytes of the largest chunk that was ever in use
 * @param limitBytes the most bytes that the allocator may hold
 * @param reservedBytes the bytes that the allocator holds from the sub-allocator
 * @param peakReservedBytes the most bytes held at any time
 * @param largestFreeChunkBytes the bytes of the largest free chunk: larger requests need more
 *     memory
 */
public record AllocatorStatistics(
    long allocations,
    long chunksInUse,
    long requestedBytesInUse,
    long bytesInUse,
    long peakBytesInUse,
    long largestChunkBytes,
    long limitBytes,
    long reservedBytes,
    long peakReservedBytes,
    long largestFreeChunkBytes)
    implements Serializable {

  /** {@return the bytes that are held and not in use} */
  public long freeBytes() {
    return reservedBytes - bytesInUse;
  }

  /** {@return 1 − largest free chunk ÷ free bytes; 0 if nothing is free} */
  public double externalFragmentation() {
    return freeBytes() == 0 ? 0 : 1 - largestFreeChunkBytes / (double) freeBytes();
  }

  /** {@return 1 − requested ÷ chunk bytes; 0 if nothing is in use} */
  public double internalFragmentation() {
    return bytesInUse == 0 ? 0 : 1 - requestedBytesInUse / (double) bytesInUse;
  }

  /** {@return these statistics with slots in the place of slabs} */
  AllocatorStatistics withSlots(SlotUse use) {
    long inUse = chunksInUse - use.slabs().size();
    long requestedBytes = requestedBytesInUse;
    for (RegionChunks.Slots slab : use.slabs().values()) {
      inUse += slab.inUse();
      requestedBytes += slab.requestedBytes() - slab.count() * slab.slotBytes();
    }
    // The slots are of a later moment.
    return with(
        allocations + use.allocations(),
        Math.max(0, inUse),
        Math.max(0, requestedBytes),
        bytesInUse);
  }

  /** {@return these statistics with other allocations} */
  AllocatorStatistics with(
      long newAllocations, long newChunksInUse, long newRequestedBytes, long newBytesInUse) {
    return new AllocatorStatistics(
        newAllocations,
        newChunksInUse,
        newRequestedBytes,
        newBytesInUse,
        peakBytesInUse,
        largestChunkBytes,
        limitBytes,
        reservedBytes,
        peakReservedBytes,
        largestFreeChunkBytes);
  }
}
