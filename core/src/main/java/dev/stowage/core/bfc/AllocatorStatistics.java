package dev.stowage.core.bfc;

import java.io.Serializable;

/**
 * What an allocator holds and has done.
 *
 * @param allocations how many requests were answered
 * @param chunksInUse how many of them are not freed yet
 * @param requestedBytesInUse what was asked for in these
 * @param bytesInUse what they take, rounding and unsplit rests included
 * @param peakBytesInUse the most bytes in use at any time
 * @param largestChunkBytes the largest chunk ever handed out
 * @param limitBytes how much may be held
 * @param reservedBytes how much is held from the sub-allocator
 * @param peakReservedBytes the most bytes held at any time
 * @param largestFreeChunkBytes the largest request that fits without another region
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

  /** {@return how many bytes are held and not in use} */
  public long freeBytes() {
    return reservedBytes - bytesInUse;
  }

  /** {@return 1 − largest free chunk ÷ free bytes; 0 when nothing is free} */
  public double externalFragmentation() {
    return freeBytes() == 0 ? 0 : 1 - largestFreeChunkBytes / (double) freeBytes();
  }

  /** {@return 1 − requested ÷ chunk bytes; 0 when nothing is in use} */
  public double internalFragmentation() {
    return bytesInUse == 0 ? 0 : 1 - requestedBytesInUse / (double) bytesInUse;
  }
}
