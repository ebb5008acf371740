package dev.stowage.memory.device;

import java.util.Optional;

/** A source of regions of host memory; not safe for use by many threads. */
interface RegionSource {

  /**
   * {@return a new region, or empty if there is too little memory}
   *
   * @param bytes the size
   * @param maxBytes the size that the region should be able to grow to
   */
  Optional<HostRegion> allocate(long bytes, long maxBytes);

  /**
   * {@return a new region that can grow to a size; empty if there is too little memory, there are
   * too few addresses, or regions cannot grow}
   *
   * @param bytes the size
   * @param maxBytes the size that the region can grow to
   */
  Optional<HostRegion> reserve(long bytes, long maxBytes);

  /** {@return the region with a new end; empty if that is not possible, and nothing changed} */
  Optional<HostRegion> resize(HostRegion region, long newBytes);

  /**
   * {@return true if new regions can grow by a useful size}
   *
   * @param maxBytes the size that they should be able to grow to
   */
  boolean canLengthen(long maxBytes);

  void free(HostRegion region);

  /** {@return true if new regions, and the bytes that lengthen one, are zero} */
  boolean isZeroed();

  /** {@return the unit of the sizes of regions} */
  long granularityBytes();
}
