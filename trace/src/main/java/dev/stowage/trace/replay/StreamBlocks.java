package dev.stowage.trace.replay;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The blocks of one stream in a pool of blocks that are not in use. */
final class StreamBlocks {

  final BlockPool pool;
  final long stream;

  /** The free blocks with memory, by size and address. */
  private final TreeSet<Block> free = new TreeSet<>(StreamBlocks::bySize);

  /** The ranges without memory, by address. */
  private final TreeSet<Block> unmapped =
      new TreeSet<>(Comparator.comparingLong(block -> block.address));

  /** The argument of searches. */
  private final Block key;

  private final String owner;
  private long freeBytes;
  private long keptBytes;

  StreamBlocks(BlockPool pool, long stream) {
    this.pool = pool;
    this.stream = stream;
    key = new Block(new Segment(-1, 0, 0, 0), this, Long.MIN_VALUE, 0);
    owner =
        "stream "
            + Long.toUnsignedString(stream)
            + (pool.isSmall ? ", small blocks" : ", large blocks")
            + (pool.number == PoolNumber.DEFAULT ? "" : ", private pool");
  }

  /** Compares in one method, because comparators of keys take twice the time. */
  private static int bySize(Block a, Block b) {
    return a.bytes == b.bytes ? Long.compare(a.address, b.address) : Long.compare(a.bytes, b.bytes);
  }

  /** {@return the stream and the pool, such as {@code stream 0, large blocks}} */
  String owner() {
    return owner;
  }

  void add(Block block) {
    if (block.isMapped) {
      block.searchesAtFree = pool.searches;
      free.add(block);
      count(block, 1);
    } else {
      unmapped.add(block);
    }
  }

  void remove(Block block) {
    if (block.isMapped) {
      if (free.remove(block)) {
        count(block, -1);
      }
    } else {
      unmapped.remove(block);
    }
  }

  /* A block is a part of its segment, or all of it, as long as it is free. */
  private void count(Block block, int sign) {
    freeBytes += sign * block.bytes;
    keptBytes += sign * block.releasableBytes();
  }

  /** {@return the bytes of the free blocks} */
  long freeBytes() {
    return freeBytes;
  }

  /** {@return the bytes of the free blocks that the allocator could return to the device} */
  long keptBytes() {
    return keptBytes;
  }

  /** {@return the smallest free block of at least some bytes, at the lowest address} */
  @Nullable Block smallestFrom(long bytes) {
    key.bytes = bytes;
    return free.ceiling(key);
  }

  /**
   * {@return true if {@link #smallestFrom} chose a block by the addresses of two segments, and one
   * of the addresses is not recorded}
   */
  boolean hasRival(Block block) {
    key.bytes = block.bytes + 1;
    Block last = free.lower(key);
    return last != null
        && last.segment != block.segment
        && !(last.segment.isRecorded && block.segment.isRecorded);
  }

  /** {@return the free block that follows in the order of sizes and addresses} */
  @Nullable Block next(Block block) {
    return free.higher(block);
  }

  /** {@return the free block before in the order of sizes and addresses} */
  @Nullable Block previous(Block block) {
    return free.lower(block);
  }

  /** {@return the largest free block below some bytes} */
  @Nullable Block largestBelow(long bytes) {
    key.bytes = bytes;
    return free.lower(key);
  }

  /** {@return the free blocks, by size and address} */
  Iterable<Block> free() {
    return free;
  }

  /** {@return the ranges without memory, by address} */
  Iterable<Block> unmapped() {
    return unmapped;
  }

  long largestBytes() {
    return free.isEmpty() ? 0 : free.last().bytes;
  }
}
