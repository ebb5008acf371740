package dev.stowage.trace.replay;

import org.jspecify.annotations.Nullable;

/** A block of a segment of PyTorch's allocator: a range that is in use, cached, or not mapped. */
final class Block {

  final Segment segment;
  final StreamBlocks home;

  long address;
  long bytes;
  long requestedBytes;
  boolean isUsed;

  /** False if the block is a range of an expandable segment without memory. */
  boolean isMapped = true;

  /** The number of searches in the pool when this block became free. */
  long searchesAtFree;

  @Nullable Block below;
  @Nullable Block above;

  Block(Segment segment, StreamBlocks home, long address, long bytes) {
    this.segment = segment;
    this.home = home;
    this.address = address;
    this.bytes = bytes;
    if (segment.lowest == null) {
      segment.lowest = this;
    }
  }

  /** {@return true if the block is a part of its segment} */
  boolean isPart() {
    return below != null || above != null;
  }

  long end() {
    return address + bytes;
  }

  /** Links a new block directly above this one. */
  void linkAbove(Block block) {
    block.below = this;
    block.above = above;
    if (above != null) {
      above.below = block;
    }
    above = block;
  }

  /** Removes this block from the list of its segment; a neighbour has taken its range. */
  void unlink() {
    if (segment.lowest == this) {
      segment.lowest = above;
    }
    if (below != null) {
      below.above = above;
    }
    if (above != null) {
      above.below = below;
    }
  }

  /** {@return the bytes of a free block that the allocator could return to the device} */
  long releasableBytes() {
    if (!segment.isExpandable()) {
      return isPart() ? 0 : bytes;
    }
    long page = segment.pageBytes;
    long from = (address - segment.address + page - 1) / page;
    long to = (end() - segment.address) / page;
    return Math.max(0, to - from) * page;
  }

  /** {@return the bytes of this block and of the range without memory above it} */
  long extensibleBytes() {
    return above != null && !above.isMapped ? bytes + above.bytes : bytes;
  }
}
