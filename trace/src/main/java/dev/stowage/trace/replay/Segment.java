package dev.stowage.trace.replay;

import org.jspecify.annotations.Nullable;

/**
 * A segment of PyTorch's allocator: memory from the device, or addresses that it maps as needed.
 */
final class Segment {

  final int index;
  final long address;

  /** The bytes of its addresses. A segment that is not expandable has memory for all of them. */
  final long spanBytes;

  /** The bytes that are mapped at once; 0 if the segment is not expandable. */
  final long pageBytes;

  /** False if the order in which the device handed out addresses is not known. */
  boolean isRecorded = true;

  /** The bytes with memory. */
  long heldBytes;

  /** The block at the lowest address; null before the first one. */
  @Nullable Block lowest;

  Segment(int index, long address, long spanBytes, long pageBytes) {
    this.index = index;
    this.address = address;
    this.spanBytes = spanBytes;
    this.pageBytes = pageBytes;
  }

  boolean isExpandable() {
    return pageBytes > 0;
  }

  SimulatedAllocator.Region region() {
    return new SimulatedAllocator.Region(
        index, address, heldBytes, lowest == null ? "" : lowest.home.owner(), pageBytes);
  }
}
