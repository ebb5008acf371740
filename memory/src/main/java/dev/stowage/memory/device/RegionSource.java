package dev.stowage.memory.device;

import java.util.Optional;

/** What regions of host memory are taken from; not safe for use by many threads. */
sealed interface RegionSource permits MappedRegions, MallocedRegions {

  /**
   * {@return a new region, or empty if it is refused}
   *
   * @param bytes its size
   * @param mostBytes the size that it may grow to, where it is smaller
   */
  Optional<HostRegion> allocate(long bytes, long mostBytes);

  /** {@return the region with its end moved, or empty if that is refused and nothing changed} */
  Optional<HostRegion> resize(HostRegion region, long newBytes);

  /**
   * {@return true if a new region could become longer than it is given, by enough to be worth it}
   *
   * @param mostBytes the size that it may grow to
   */
  boolean lengthens(long mostBytes);

  void free(HostRegion region);

  /** {@return what regions are made of} */
  long granularityBytes();
}
