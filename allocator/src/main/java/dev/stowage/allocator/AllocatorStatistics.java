package dev.stowage.allocator;

import dev.stowage.allocator.internal.SlotUse;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;

/**
 * The statistics of an allocator at one moment.
 *
 * @serial exclude
 */
public final class AllocatorStatistics implements Serializable {

  private static final long serialVersionUID = 1L;

  private final long allocations;
  private final long chunksInUse;
  private final long requestedBytesInUse;
  private final long bytesInUse;
  private final long peakBytesInUse;
  private final long largestChunkBytes;
  private final long limitBytes;
  private final long reservedBytes;
  private final long peakReservedBytes;
  private final long largestFreeChunkBytes;

  AllocatorStatistics(
      long allocations,
      long chunksInUse,
      long requestedBytesInUse,
      long bytesInUse,
      long peakBytesInUse,
      long largestChunkBytes,
      long limitBytes,
      long reservedBytes,
      long peakReservedBytes,
      long largestFreeChunkBytes) {
    this.allocations = allocations;
    this.chunksInUse = chunksInUse;
    this.requestedBytesInUse = requestedBytesInUse;
    this.bytesInUse = bytesInUse;
    this.peakBytesInUse = peakBytesInUse;
    this.largestChunkBytes = largestChunkBytes;
    this.limitBytes = limitBytes;
    this.reservedBytes = reservedBytes;
    this.peakReservedBytes = peakReservedBytes;
    this.largestFreeChunkBytes = largestFreeChunkBytes;
  }

  /** {@return the number of requests that were granted} */
  public long allocations() {
    return allocations;
  }

  /** {@return the number of allocations that are not freed yet} */
  public long chunksInUse() {
    return chunksInUse;
  }

  /** {@return the requested bytes of the allocations in use} */
  public long requestedBytesInUse() {
    return requestedBytesInUse;
  }

  /** {@return the bytes of the chunks in use, with rounding and rests that were not split off} */
  public long bytesInUse() {
    return bytesInUse;
  }

  /** {@return the most bytes in use at any time} */
  public long peakBytesInUse() {
    return peakBytesInUse;
  }

  /** {@return the bytes of the largest chunk that was ever in use} */
  public long largestChunkBytes() {
    return largestChunkBytes;
  }

  /** {@return the most bytes that the allocator may hold} */
  public long limitBytes() {
    return limitBytes;
  }

  /** {@return the bytes that the allocator holds from the sub-allocator} */
  public long reservedBytes() {
    return reservedBytes;
  }

  /** {@return the most bytes held at any time} */
  public long peakReservedBytes() {
    return peakReservedBytes;
  }

  /** {@return the bytes of the largest free chunk: larger requests need more memory} */
  public long largestFreeChunkBytes() {
    return largestFreeChunkBytes;
  }

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

  private long[] values() {
    return new long[] {
      allocations,
      chunksInUse,
      requestedBytesInUse,
      bytesInUse,
      peakBytesInUse,
      largestChunkBytes,
      limitBytes,
      reservedBytes,
      peakReservedBytes,
      largestFreeChunkBytes
    };
  }

  /** {@return true if all numbers are equal} */
  @Override
  public boolean equals(Object other) {
    return other instanceof AllocatorStatistics that && Arrays.equals(values(), that.values());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values());
  }

  /** {@return the numbers in one line} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "allocations=%d, chunksInUse=%d, requestedBytesInUse=%d, bytesInUse=%d, peakBytesInUse=%d,"
            + " largestChunkBytes=%d, limitBytes=%d, reservedBytes=%d, peakReservedBytes=%d,"
            + " largestFreeChunkBytes=%d",
        allocations,
        chunksInUse,
        requestedBytesInUse,
        bytesInUse,
        peakBytesInUse,
        largestChunkBytes,
        limitBytes,
        reservedBytes,
        peakReservedBytes,
        largestFreeChunkBytes);
  }
}
