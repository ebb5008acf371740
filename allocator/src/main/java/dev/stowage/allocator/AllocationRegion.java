package dev.stowage.allocator;

/** A range of addresses from the sub-allocator, tiled by chunks. */
final class AllocationRegion {

  private final long address;
  private long bytes;
  private final int fence;

  /** True if the region was lengthened after it was added. */
  private boolean isLengthened;

  /** True if the sub-allocator refused to lengthen the region, although it had the memory. */
  private boolean isFixed;

  /**
   * @param fence the slot of the chunk without bytes after the last chunk and before the first one
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

  /** {@return the address after the region} */
  long end() {
    return address + bytes;
  }

  int fence() {
    return fence;
  }

  void setBytes(long newBytes) {
    isLengthened |= newBytes > bytes;
    isFixed &= newBytes > bytes;
    bytes = newBytes;
  }

  boolean isLengthened() {
    return isLengthened;
  }

  /**
   * {@return true if the end of the region must not move up; a region that was shortened may be
   * lengthened again}
   */
  boolean isFixed() {
    return isFixed;
  }

  void fix() {
    isFixed = true;
  }

  AllocationRegion copy() {
    AllocationRegion copy = new AllocationRegion(address, bytes, fence);
    copy.isLengthened = isLengthened;
    copy.isFixed = isFixed;
    return copy;
  }

  boolean contains(long other) {
    return other >= address && other - address < bytes;
  }
}
