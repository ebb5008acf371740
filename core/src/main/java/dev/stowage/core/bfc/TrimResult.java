package dev.stowage.core.bfc;

import java.util.List;

/**
 * What a trim gave back, and what stands in the way of the rest.
 *
 * @param bytes how many bytes the sub-allocator has back
 * @param pinned the regions that hold free bytes still, by ascending address
 */
public record TrimResult(long bytes, List<PinnedRegion> pinned) {

  /** A result. */
  public TrimResult {
    pinned = List.copyOf(pinned);
  }

  /**
   * A region that is partly free, and cannot be given back.
   *
   * @param address where it starts
   * @param bytes its size
   * @param freeBytes how many of them are free
   * @param allocations how many allocations lie in it
   * @param pin the allocation at the highest address: what an expandable region ends with, and what
   *     would have to be freed first for more of it to go
   */
  public record PinnedRegion(
      long address, long bytes, long freeBytes, int allocations, Allocation pin) {}

  /** {@return the free bytes that could not be given back} */
  public long pinnedFreeBytes() {
    return pinned.stream().mapToLong(PinnedRegion::freeBytes).sum();
  }
}
