package dev.stowage.allocator;

import java.util.List;

/**
 * The result of a trim.
 *
 * @param bytes the number of bytes returned to the sub-allocator
 * @param pinned the regions that still have free bytes, by ascending address
 */
public record TrimResult(long bytes, List<PinnedRegion> pinned) {

  /** Creates a result. */
  public TrimResult {
    pinned = List.copyOf(pinned);
  }

  /**
   * A region that is partly free and was not returned.
   *
   * @param address its address
   * @param bytes its size
   * @param freeBytes its free bytes
   * @param allocations the number of its allocations
   * @param pin the allocation at the highest address: an expandable region ends with it, and it
   *     must be freed before more of the region can be returned
   */
  public record PinnedRegion(
      long address, long bytes, long freeBytes, int allocations, Allocation pin) {}

  /** {@return the sum of the free bytes of the pinned regions} */
  public long pinnedFreeBytes() {
    return pinned.stream().mapToLong(PinnedRegion::freeBytes).sum();
  }
}
