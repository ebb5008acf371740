package dev.stowage.core.bfc;

/** A range of addresses from the sub-allocator, tiled by chunks. */
final class AllocationRegion {

  private final long address;
  private final long bytes;
  private final int firstChunk;

  AllocationRegion(long address, long bytes, int firstChunk) {
    this.address = address;
    this.bytes = bytes;
    this.firstChunk = firstChunk;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  /**
   * {@return the slot of the chunk at the region's start; it keeps its slot while the region lives}
   */
  int firstChunk() {
    return firstChunk;
  }

  boolean contains(long other) {
    return other >= address && other - address < bytes;
  }
}
