package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SegmentLane;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Divides the reserved memory of PyTorch's allocator. */
final class SegmentWalk {

  /*
   * A free block of the default pool and of the stream of the request is a hole or kept memory. Of a
   * segment, the allocator can release all or nothing. Of an expandable segment, it can release each
   * page that is wholly free:
   *
   *   pages       |         |         |         |         |
   *   blocks      | in use | free                 | in use |
   *                         hole |      kept      |hole|
   */

  private final PytorchSettings settings;
  private final long stream;
  private final ReservedCount count;

  /**
   * @param stream the stream of the request at this moment
   * @param pendingFrees the addresses of blocks that the program has freed, but that queued work
   *     may still use
   */
  SegmentWalk(PytorchSettings settings, long stream, Set<Long> pendingFrees) {
    this.settings = settings;
    this.stream = stream;
    count = new ReservedCount(pendingFrees);
  }

  ReservedMemory divide(Collection<Segment> segments) {
    for (Segment segment : segments) {
      boolean isInUse = isInUse(segment);
      for (Block block = segment.lowest; block != null; block = block.above) {
        if (block.isUsed) {
          addUsed(block);
        } else if (block.isMapped) {
          count.addTo(lane(block), block.bytes, 0, 0);
          addFree(block, isInUse);
        }
      }
    }
    return count.result();
  }

  private static boolean isInUse(Segment segment) {
    @Nullable Block block = segment.lowest;
    while (block != null && !block.isUsed) {
      block = block.above;
    }
    return block != null;
  }

  private static SegmentLane lane(Block block) {
    BlockPool pool = block.home.pool;
    return new SegmentLane(block.home.stream, PoolNumber.pool(pool.number), pool.isSmall);
  }

  private void addUsed(Block block) {
    long held =
        count.addUsed(
            block.address,
            block.bytes,
            block.requestedBytes,
            settings.blockBytes(block.requestedBytes));
    count.addTo(lane(block), block.bytes, block.bytes, held);
  }

  private void addFree(Block block, boolean isInUse) {
    if (block.home.pool.number != PoolNumber.DEFAULT) {
      count.add(ReservedPart.PRIVATE_POOLS, block.bytes);
    } else if (block.home.stream != stream) {
      count.add(ReservedPart.OTHER_STREAMS, block.bytes);
    } else if (block.segment.isExpandable()) {
      addPages(block);
    } else {
      count.add(isInUse ? ReservedPart.HOLES : ReservedPart.KEPT_SEGMENTS, block.bytes);
    }
  }

  private void addPages(Block block) {
    long page = block.segment.pageBytes;
    long start = block.address - block.segment.address;
    long end = start + block.bytes;
    long wholePages = Math.max(0, end / page * page - (start + page - 1) / page * page);
    count.add(ReservedPart.KEPT_SEGMENTS, wholePages);
    count.add(ReservedPart.HOLES, block.bytes - wholePages);
  }
}
