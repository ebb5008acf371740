package dev.stowage.memory.device;

/**
 * A region of host memory.
 *
 * @param address the first byte
 * @param bytes the accessible bytes
 * @param base the start of the memory from the system; at most {@code address}
 * @param reservedBytes the size that the region can grow to
 */
record HostRegion(long address, long bytes, long base, long reservedBytes) {

  HostRegion withBytes(long newBytes) {
    return new HostRegion(address, newBytes, base, reservedBytes);
  }

  /** {@return true if a range, which can be empty, is accessible} */
  boolean contains(long from, long rangeBytes) {
    return from >= address && from - address <= bytes && rangeBytes <= bytes - (from - address);
  }
}
