package dev.stowage.cuda;

import java.util.Optional;

/** A source of regions of a device, for one thread at a time. */
interface CudaRegions {

  /** {@return the unit of addresses and sizes of regions} */
  long granularityBytes();

  /** {@return a new region, or empty if there is too little memory} */
  Optional<CudaRegion> allocate(long bytes);

  /**
   * {@return a new region that can grow to a size; empty if there is too little memory, there are
   * too few addresses, or regions cannot grow}
   */
  Optional<CudaRegion> reserve(long bytes, long maxBytes);

  /** Moves the end of a region if possible, and {@return true if it moved} */
  boolean resize(CudaRegion region, long newBytes);

  /** {@return true if regions can grow} */
  boolean canLengthen();

  /**
   * Waits for all work of the device and frees a region. The caller may try again after a failure.
   */
  void free(CudaRegion region);
}
