package dev.stowage.trace.replay;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Takes blocks for the requests of a stream from expandable segments, by mapping more memory. */
final class ExpandableBlocks {

  private final SegmentSource device;
  private final StreamBlocks home;
  private final long pageBytes;
  private final OptionalLong reserveBytes;

  ExpandableBlocks(
      SegmentSource device, StreamBlocks home, long pageBytes, OptionalLong reserveBytes) {
    this.device = device;
    this.home = home;
    this.pageBytes = pageBytes;
    this.reserveBytes = reserveBytes;
  }

  /**
   * {@return a block of at least some bytes, no longer among the free ones; null if the device has
   * too little memory}
   *
   * <p>Memory that was mapped before the device refused more stays mapped and free.
   */
  @Nullable Block take(long bytes) {
    Block block = lowest(bytes);
    if (!block.isMapped && !map(block, Math.min(block.bytes, bytes))) {
      return null;
    }
    while (block.bytes < bytes) {
      // The ranges above, which are unmapped and free in turn, are large enough.
      Block above = block.above;
      if (above == null || !map(above, Math.min(bytes - block.bytes, above.bytes))) {
        return null;
      }
      block = above;
    }
    home.remove(block);
    return block;
  }

  /** {@return the lowest range of addresses that is unmapped or free and has enough bytes} */
  private Block lowest(long bytes) {
    for (Block unmapped : home.unmapped()) {
      Block below = unmapped.below;
      Block start = below != null && !below.isUsed ? below : unmapped;
      if (hasRoom(start, bytes)) {
        return start;
      }
    }
    Segment segment = device.reserve(pageBytes, bytes, reserveBytes);
    Block block = new Block(segment, home, segment.address, segment.spanBytes);
    block.isMapped = false;
    home.add(block);
    return block;
  }

  private static boolean hasRoom(Block start, long bytes) {
    long room = 0;
    for (Block block = start; block != null && !block.isUsed; block = block.above) {
      room += block.bytes;
      if (room >= bytes) {
        return true;
      }
    }
    return false;
  }

  /** Maps whole pages from the start of an unmapped block, and merges them with free neighbours. */
  private boolean map(Block block, long bytes) {
    long page = block.segment.pageBytes;
    long mapped = Math.min((bytes + page - 1) / page * page, block.bytes);
    if (!device.map(block.segment, mapped)) {
      return false;
    }
    home.remove(block);
    if (mapped < block.bytes) {
      Block rest = new Block(block.segment, home, block.address + mapped, block.bytes - mapped);
      rest.isMapped = false;
      block.bytes = mapped;
      block.linkAbove(rest);
      home.add(rest);
    }
    block.isMapped = true;
    StreamMerge.addMerged(block);
    return true;
  }

  /** Unmaps the whole pages of a free block, and ends its segment if nothing else is left of it. */
  static void unmap(SegmentSource device, Block block) {
    Segment segment = block.segment;
    StreamBlocks home = block.home;
    long page = segment.pageBytes;
    long from = segment.address + (block.address - segment.address + page - 1) / page * page;
    long to = segment.address + (block.end() - segment.address) / page * page;
    if (from >= to) {
      return;
    }
    home.remove(block);
    if (to < block.end()) {
      Block rest = new Block(segment, home, to, block.end() - to);
      block.bytes -= rest.bytes;
      block.linkAbove(rest);
      home.add(rest);
    }
    if (from > block.address) {
      Block unmapped = new Block(segment, home, from, to - from);
      block.bytes -= unmapped.bytes;
      block.linkAbove(unmapped);
      home.add(block);
      block = unmapped;
    }
    block.isMapped = false;
    device.unmap(segment, to - from);
    StreamMerge.addMerged(block);
    if (!block.isPart()) {
      home.remove(block);
      device.free(segment);
    }
  }
}
