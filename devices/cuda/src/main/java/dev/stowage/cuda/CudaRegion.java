package dev.stowage.cuda;

/** A range of device addresses, with memory from its start on. */
final class CudaRegion {

  private final long address;
  private final long reservedBytes;

  /** The bytes with memory; read only by the source of the region. */
  private long mappedBytes;

  /** The accessible bytes; read without a lock. */
  private volatile long bytes;

  /**
   * Creates a region.
   *
   * @param bytes the accessible bytes
   * @param mappedBytes the bytes with memory
   * @param reservedBytes the addresses that the region can grow to
   */
  CudaRegion(long address, long bytes, long mappedBytes, long reservedBytes) {
    this.address = address;
    this.bytes = bytes;
    this.mappedBytes = mappedBytes;
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

  long mappedBytes() {
    return mappedBytes;
  }

  void setMappedBytes(long newMappedBytes) {
    mappedBytes = newMappedBytes;
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
