package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.List;

/**
 * The memory that PyTorch's allocator holds at one moment, and the uses of its cached part.
 *
 * @param reservedBytes the bytes of all segments
 * @param cachedBytes the bytes of the blocks that are not in use
 * @param releasableBytes the cached bytes that {@code torch.cuda.empty_cache()} returns to the
 *     device
 * @param reusableBytes the cached bytes that expandable segments could use for any request, at most
 */
public record HeldMemory(
    long reservedBytes, long cachedBytes, long releasableBytes, long reusableBytes) {

  /*
   * A segment that is not expandable is released if no block in it is in use. Of an expandable one,
   * the pages that are wholly free are released. If the other segments were expandable, they would
   * have pages, too: a hole would have as many pages as fit between the blocks beside it. Free
   * memory of private pools is for their requests only.
   */

  /**
   * {@return the memory of an allocator}
   *
   * @param segments the segments with their blocks
   * @param settings the settings, which decide the sizes of blocks and pages
   */
  public static HeldMemory of(List<SnapshotSegment> segments, PytorchSettings settings) {
    long reserved = 0;
    long cached = 0;
    long releasable = 0;
    long reusable = 0;
    for (SnapshotSegment segment : segments) {
      reserved += segment.bytes();
      boolean isUsed = segment.blocks().stream().anyMatch(block -> block.state().isActive());
      for (SnapshotBlock block : segment.blocks()) {
        if (block.state().isActive()) {
          continue;
        }
        cached += block.bytes();
        if (segment.lane().pool().isPrivate()) {
          continue;
        }
        boolean isWhole = !segment.isExpandable() && !isUsed;
        long pageBytes = isWhole ? block.bytes() : pageBytes(block, segment, settings);
        releasable += isWhole || segment.isExpandable() ? pageBytes : 0;
        reusable += pageBytes;
      }
    }
    return new HeldMemory(reserved, cached, releasable, reusable);
  }

  /** {@return the bytes of a free block in whole pages} */
  private static long pageBytes(
      SnapshotBlock block, SnapshotSegment segment, PytorchSettings settings) {
    long page = SegmentSizes.page(settings, segment.lane().isSmall());
    // The pages of segments that are not expandable could start anywhere.
    long start = segment.isExpandable() ? block.address() - segment.address() : 0;
    long end = start + block.bytes();
    return Math.max(0, end / page * page - (start + page - 1) / page * page);
  }

  /** {@return the bytes of the blocks in use, with their rounding} */
  public long inUseBytes() {
    return reservedBytes - cachedBytes;
  }
}
