package dev.stowage.cuda;

/** A range of device addresses with memory behind it, from its start on. */
final class CudaRegion {

  private final long address;
  private final long reservedBytes;

  /** How much memory is behind it; only its source looks. */
  private long mappedBytes;

  /** What may be touched; read without a lock. */
  private volatile long bytes;

  /**
   * A region.
   *
   * @param bytes how many may be touched
   * @param mappedBytes how many have memory behind them
   * @param reservedBytes how many addresses it can grow over
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
