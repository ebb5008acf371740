package dev.stowage.cuda;

import java.util.Optional;

/** Where a device's regions come from. For one thread at a time. */
sealed interface CudaRegions permits AllocatedRegions, MappedRegions {

  /** {@return what addresses and sizes of regions are multiples of} */
  long granularityBytes();

  /** {@return a new region, or empty if there is too little memory} */
  Optional<CudaRegion> allocate(long bytes);

  /**
   * Moves a region's end and {@return whether it did}
   *
   * <p>What is refused changes nothing.
   */
  boolean resize(CudaRegion region, long newBytes);

  /** {@return true if regions can become longer} */
  boolean lengthens();

  /**
   * Takes back a region, when all work of the device is done.
   *
   * <p>After a failure it can be tried again.
   */
  void free(CudaRegion region);
}
