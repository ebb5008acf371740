package dev.stowage.memory.device;

/**
 * A region of host memory.
 *
 * @param address where its bytes start
 * @param bytes how many can be touched
 * @param base where what was taken from the system starts; {@code address}, or below
 * @param reservedBytes how large the region can grow
 */
record HostRegion(long address, long bytes, long base, long reservedBytes) {

  HostRegion withBytes(long newBytes) {
    return new HostRegion(address, newBytes, base, reservedBytes);
  }

  /** {@return whether a range, of no bytes at least, can be touched} */
  boolean contains(long from, long rangeBytes) {
    return from >= address && from - address <= bytes && rangeBytes <= bytes - (from - address);
  }
}
