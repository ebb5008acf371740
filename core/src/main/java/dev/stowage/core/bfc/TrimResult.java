package dev.stowage.core.bfc;

import java.util.List;

/**
 * The result of a trim.
 *
 * @param bytes the bytes that went back to the sub-allocator
 * @param pinned the regions that still have free bytes, by ascending address
 */
public record TrimResult(long bytes, List<PinnedRegion> pinned) {

  /** A result. */
  public TrimResult {
    pinned = List.copyOf(pinned);
  }

  /**
   * A region that is partly free and stays.
   *
   * @param address its address
   * @param bytes its size
   * @param freeBytes its free bytes
   * @param allocations the number of its allocations
   * @param pin the allocation at the highest address: an expandable region ends with it, and it
   *     must be freed before more of the region can go back
   */
  public record PinnedRegion(
      long address, long bytes, long freeBytes, int allocations, Allocation pin) {}

  /** {@return the free bytes that stay} */
  public long pinnedFreeBytes() {
    return pinned.stream().mapToLong(PinnedRegion::freeBytes).sum();
  }
}
