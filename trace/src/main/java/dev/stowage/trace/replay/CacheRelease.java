package dev.stowage.trace.replay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Returns cached memory of PyTorch's allocator to the device. */
final class CacheRelease {

  private final SegmentSource device;

  CacheRelease(SegmentSource device) {
    this.device = device;
  }

  /**
   * Releases all segments of a pool that are wholly free, and the free pages of expandable ones.
   */
  void all(BlockPool pool) {
    for (StreamBlocks blocks : pool.streams()) {
      for (Block block : freeBlocks(blocks)) {
        if (block.segment.isExpandable()) {
          ExpandableBlocks.unmap(device, block);
        } else if (isReleasable(block)) {
          release(block);
        }
      }
    }
  }

  private static List<Block> freeBlocks(StreamBlocks blocks) {
    List<Block> free = new ArrayList<>();
    blocks.free().forEach(free::add);
    return free;
  }

  private void release(Block block) {
    block.home.remove(block);
    device.free(block.segment);
  }

  /**
   * Releases wholly free segments, the ones of at least average age first, until the reserved bytes
   * are at most a number.
   *
   * <p>The age of a segment is the number of searches since it became free.
   */
  void oldSegments(BlockPool pool, long targetBytes) {
    long excess = device.heldBytes() - targetBytes;
    if (excess <= 0) {
      return;
    }
    List<Block> whole = new ArrayList<>();
    for (StreamBlocks blocks : pool.streams()) {
      for (Block block : blocks.free()) {
        if (!block.isPart()) {
          whole.add(block);
        }
      }
    }
    long totalAge = 0;
    for (Block block : whole) {
      totalAge += age(block);
    }
    long released = 0;
    boolean hasReleased = true;
    while (released < excess && hasReleased && !whole.isEmpty()) {
      double leastAge = totalAge / (double) whole.size();
      List<Block> younger = new ArrayList<>();
      for (Block block : whole) {
        if (age(block) >= leastAge && !block.segment.isExpandable()) {
          released += block.bytes;
          totalAge -= age(block);
          release(block);
        } else {
          younger.add(block);
        }
      }
      hasReleased = younger.size() < whole.size();
      whole = younger;
    }
  }

  private static long age(Block block) {
    return block.home.pool.searches - block.searchesAtFree;
  }

  /**
   * Releases segments above the split limit and {@return true if that may help a request}: the
   * smallest segment that is large enough, or the largest ones until their sum is large enough.
   *
   * @param limit the split limit
   */
  boolean oversizeSegments(StreamBlocks home, long bytes, long limit) {
    if (limit == PytorchSettings.UNLIMITED) {
      return false;
    }
    long needed = Math.max(bytes, limit);
    Block one = home.smallestFrom(needed);
    if (one != null && isReleasable(one)) {
      release(one);
      return true;
    }
    long released = 0;
    Block block = one == null ? home.largestBelow(Long.MAX_VALUE) : home.largestBelow(needed);
    while (block != null && released < needed && block.bytes >= limit) {
      Block below = home.previous(block);
      if (isReleasable(block)) {
        released += block.bytes;
        release(block);
      }
      block = below;
    }
    return released >= needed;
  }

  /**
   * {@return true if a free block is a whole segment that is not expandable}
   *
   * <p>A part may be above the split limit if its segment is older than the limit.
   */
  private static boolean isReleasable(Block block) {
    return !block.segment.isExpandable() && !block.isPart();
  }

  /** Releases a segment or a range of an expandable one, as the recording did. */
  void recorded(long address, long bytes, Collection<BlockPool> pools) {
    for (BlockPool pool : pools) {
      for (StreamBlocks blocks : pool.streams()) {
        for (Block block : freeBlocks(blocks)) {
          if (block.segment.isExpandable()) {
            if (block.address <= address && address + bytes <= block.end()) {
              ExpandableBlocks.unmap(device, block);
              return;
            }
          } else if (block.address == address && block.bytes == bytes && !block.isPart()) {
            release(block);
            return;
          }
        }
      }
    }
  }
}
