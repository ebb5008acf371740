package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SegmentLane;
import java.util.List;

/**
 * A segment that PyTorch's allocator holds before the first event of a replay.
 *
 * @param address the address
 * @param bytes the bytes
 * @param lane the requests that it serves
 * @param isExpandable true if the bytes are a mapped range of an expandable segment
 * @param blocks the blocks in use, by ascending address
 */
record HeldSegment(
    long address, long bytes, SegmentLane lane, boolean isExpandable, List<HeldBlock> blocks) {

  HeldSegment {
    blocks = List.copyOf(blocks);
  }

  /**
   * A block in use.
   *
   * @param address the address
   * @param bytes the bytes that it occupies
   * @param requestedBytes the bytes of the request
   */
  record HeldBlock(long address, long bytes, long requestedBytes) {}
}
