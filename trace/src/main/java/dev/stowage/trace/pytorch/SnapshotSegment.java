package dev.stowage.trace.pytorch;

import java.util.List;

/**
 * A segment: a contiguous range of addresses that the allocator held when the snapshot was taken.
 *
 * @param address the address, an unsigned number
 * @param bytes the bytes of the segment
 * @param lane the requests that the segment serves
 * @param isExpandable true if the segment can grow
 * @param stack the stack of the request that created the segment, in the {@link StackTable}
 * @param blocks the blocks by ascending address
 */
public record SnapshotSegment(
    long address,
    long bytes,
    SegmentLane lane,
    boolean isExpandable,
    int stack,
    List<SnapshotBlock> blocks) {

  /** Creates a segment. */
  public SnapshotSegment {
    blocks = List.copyOf(blocks);
  }
}
