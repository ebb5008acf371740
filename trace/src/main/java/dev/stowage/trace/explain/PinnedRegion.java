package dev.stowage.trace.explain;

import java.util.List;

/**
 * A region with free bytes that cannot be released, because blocks in it are in use.
 *
 * @param region the index of the region
 * @param bytes its size; the allocator could release the region if the blocks in use were freed
 * @param freeBytes the bytes that are free already
 * @param blocks the number of blocks in use
 * @param largest the largest of these blocks
 */
public record PinnedRegion(
    int region, long bytes, long freeBytes, long blocks, List<BlockOwner> largest) {

  /** Creates a region. */
  public PinnedRegion {
    largest = List.copyOf(largest);
  }
}
