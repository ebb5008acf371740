package dev.stowage.trace.replay;

/**
 * The use of the memory of an allocator at one moment.
 *
 * @param requestedBytesInUse the requested bytes of the allocations in use
 * @param bytesInUse their bytes with rounding and rests that were not split off
 * @param reservedBytes the bytes that the allocator holds
 * @param largestFreeBytes the bytes of the largest free block
 */
public record MemoryUse(
    long requestedBytesInUse, long bytesInUse, long reservedBytes, long largestFreeBytes) {

  /**
   * {@return the current use}
   *
   * @param allocator the allocator
   */
  public static MemoryUse of(SimulatedAllocator allocator) {
    return new MemoryUse(
        allocator.requestedBytesInUse(),
        allocator.bytesInUse(),
        allocator.reservedBytes(),
        allocator.largestFreeBytes());
  }

  /** {@return the bytes that are held and not in use} */
  public long freeBytes() {
    return reservedBytes - bytesInUse;
  }

  /** {@return 1 − largest free block ÷ free bytes; 0 if nothing is free} */
  public double externalFragmentation() {
    return freeBytes() == 0 ? 0 : 1 - largestFreeBytes / (double) freeBytes();
  }

  /** {@return 1 − requested ÷ block bytes; 0 if nothing is in use} */
  public double internalFragmentation() {
    return bytesInUse == 0 ? 0 : 1 - requestedBytesInUse / (double) bytesInUse;
  }
}
