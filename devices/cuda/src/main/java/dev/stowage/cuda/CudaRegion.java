package dev.stowage.cuda;

/** A range of device addresses, with memory from its start on. */
final class CudaRegion {

  private final long address;
  private final long reservedBytes;

  /** The mappings of a region that can grow; used only by the source of the region. */
  private final Mappings mappings = new Mappings();

  /** The accessible bytes; read without a lock. */
  private volatile long bytes;

  /**
   * Creates a region.
   *
   * @param bytes the accessible bytes
   * @param reservedBytes the addresses that the region can grow to
   */
  CudaRegion(long address, long bytes, long reservedBytes) {
    this.address = address;
    this.bytes = bytes;
    this.reservedBytes = reservedBytes;
  }

  long address() {
    return address;
  }

  long bytes() {
    return bytes;
  }

  void setBytes(long newBytes) {
    bytes = newBytes;
  }

  Mappings mappings() {
    return mappings;
  }

  long reservedBytes() {
    return reservedBytes;
  }

  boolean contains(long start, long rangeBytes) {
    long offset = start - address;
    long ownBytes = bytes;
    return rangeBytes >= 0 && offset >= 0 && offset <= ownBytes && rangeBytes <= ownBytes - offset;
  }
}
