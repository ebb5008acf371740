package dev.stowage.core.bfc;

/** A range of addresses from the sub-allocator, tiled by chunks. */
final class AllocationRegion {

  private final long address;
  private long bytes;
  private final int fence;

  /**
   * @param fence the slot of the chunk without bytes that lies behind the last one and before the
   *     first
   */
  AllocationRegion(long address, long bytes, int fence) {
    this.address = address;
    this.bytes = bytes;
    this.fence = fence;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  /** {@return the address behind the region} */
  long end() {
    return address + bytes;
  }

  int fence() {
    return fence;
  }

  void setBytes(long newBytes) {
    bytes = newBytes;
  }

  boolean contains(long other) {
    return other >= address && other - address < bytes;
  }
}
