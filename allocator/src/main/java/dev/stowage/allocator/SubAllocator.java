package dev.stowage.allocator;

import java.util.OptionalLong;

/**
 * A source of regions: a device, or a simulation of one.
 *
 * <p>The allocator calls it while it holds its lock. A sub-allocator must not wait for a thread
 * that uses the allocator. If it calls the allocator to allocate, free, trim or close, the
 * allocator throws an {@link IllegalStateException}, and nothing changes.
 */
public interface SubAllocator {

  /**
   * {@return the address of a new region, or empty if the sub-allocator refuses it}
   *
   * <p>After a refusal, the allocator requests fewer bytes, or the request fails.
   *
   * @param bytes the size; a positive multiple of {@link #granularityBytes()}
   */
  OptionalLong allocate(long bytes);

  /**
   * Frees a region.
   *
   * <p>If this method throws, the region must be unchanged: the allocator continues to use it and
   * may free it later.
   *
   * @param address the address of the region
   * @param bytes its size
   */
  void free(long address, long bytes);

  /**
   * Moves the end of a region.
   *
   * <p>If this method returns false or throws, nothing changes. The default implementation returns
   * false.
   *
   * @param address the address of the region
   * @param bytes its size
   * @param newBytes its new size; a positive multiple of {@link #granularityBytes()}
   * @return true if it was moved
   */
  default boolean resize(long address, long bytes, long newBytes) {
    return false;
  }

  /**
   * {@return true if {@link #resize} may lengthen a region; false if it never does, so that the
   * allocator does not call it for that}
   *
   * <p>If this method returns true but regions cannot be lengthened, the allocator detects this at
   * the first refusal. It then holds two regions, each of the size of a request.
   */
  default boolean canLengthen() {
    return true;
  }

  /**
   * {@return true if the bytes of new regions, and bytes that are added at the end of a region, are
   * zero}
   *
   * <p>The result may change to false. It holds for memory that is provided after the call.
   */
  default boolean isZeroed() {
    return false;
  }

  /** {@return the unit of region sizes: a power of two, at least 256} */
  default long granularityBytes() {
    return Quantum.BYTES;
  }

  /** {@return the unit of region addresses: a power of two, at least 256} */
  default long alignmentBytes() {
    return Quantum.BYTES;
  }
}
