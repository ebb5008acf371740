package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns the segments of PyTorch's allocator into the segments of a snapshot. */
final class BlockWalk {

  private final boolean withBlocks;
  private final List<SnapshotSegment> segments = new ArrayList<>();

  BlockWalk(boolean withBlocks) {
    this.withBlocks = withBlocks;
  }

  /** {@return a segment for each contiguous range with memory} */
  List<SnapshotSegment> segments(Collection<Segment> held) {
    for (Segment segment : held) {
      Block lowest = segment.lowest;
      if (lowest != null && !withBlocks && !segment.isExpandable()) {
        add(lowest, segment.heldBytes, List.of());
      } else {
        addRanges(lowest);
      }
    }
    return segments;
  }

  private void addRanges(@Nullable Block lowest) {
    Block block = lowest;
    while (block != null) {
      if (block.isMapped) {
        block = addRange(block);
      } else {
        block = block.above;
      }
    }
  }

  /** Adds the range that starts with a block, and {@return the block above it} */
  private @Nullable Block addRange(Block first) {
    List<SnapshotBlock> blocks = new ArrayList<>();
    long bytes = 0;
    Block block = first;
    while (block != null && block.isMapped) {
      if (withBlocks) {
        blocks.add(snapshot(block));
      }
      bytes += block.bytes;
      block = block.above;
    }
    add(first, bytes, blocks);
    return block;
  }

  private void add(Block first, long bytes, List<SnapshotBlock> blocks) {
    BlockPool pool = first.home.pool;
    segments.add(
        new SnapshotSegment(
            first.address,
            bytes,
            new SegmentLane(first.home.stream, PoolNumber.pool(pool.number), pool.isSmall),
            first.segment.isExpandable(),
            StackTable.NONE,
            blocks));
  }

  private static SnapshotBlock snapshot(Block block) {
    return block.isUsed
        ? RegionSegments.used(block.address, block.bytes, block.requestedBytes)
        : RegionSegments.free(block.address, block.bytes);
  }
}
