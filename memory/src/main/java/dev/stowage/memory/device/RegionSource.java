package dev.stowage.memory.device;

import java.util.Optional;

/** What regions of host memory are taken from; not safe for use by many threads. */
sealed interface RegionSource permits MappedRegions, MallocedRegions {

  /** {@return a new region, or empty if it is refused} */
  Optional<HostRegion> allocate(long bytes);

  /** {@return the region with its end moved, or empty if that is refused and nothing changed} */
  Optional<HostRegion> resize(HostRegion region, long newBytes);

  void free(HostRegion region);

  /** {@return what regions are made of} */
  long granularityBytes();
}
