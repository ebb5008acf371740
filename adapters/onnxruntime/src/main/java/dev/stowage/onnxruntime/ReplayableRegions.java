package dev.stowage.onnxruntime;

import dev.stowage.allocator.ForwardingSubAllocator;
import dev.stowage.allocator.SubAllocator;

/**
 * Regions with the sizes that the replay of a trace uses: multiples of 256 bytes instead of pages.
 *
 * <p>The rest of the last page of a region stays unused.
 */
final class ReplayableRegions extends ForwardingSubAllocator {

  /** The granularity and alignment of simulated regions. */
  private static final long UNIT_BYTES = 256;

  /**
   * @param regions provides the regions; accepts sizes that are not multiples of its granularity
   */
  ReplayableRegions(SubAllocator regions) {
    super(regions);
  }

  /** {@return 256, not the page size of the host, because a replay has no pages} */
  @Override
  public long granularityBytes() {
    return UNIT_BYTES;
  }

  /** {@return 256, not the page size of the host, because a replay has no pages} */
  @Override
  public long alignmentBytes() {
    return UNIT_BYTES;
  }
}
