package dev.stowage.trace.replay;

import dev.stowage.allocator.RegionChunks;
import dev.stowage.trace.pytorch.BlockState;
import dev.stowage.trace.pytorch.PoolId;
import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import dev.stowage.trace.pytorch.StackTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Regions of allocators in the form of PyTorch's snapshots: a region is a segment of stream 0 in
 * the shared pool of large blocks, and a chunk is a block.
 */
public final class RegionSegments {

  private static final SegmentLane LANE = new SegmentLane(0, PoolId.SHARED, false);

  private RegionSegments() {}

  /**
   * {@return the segments of regions}
   *
   * @param regions the regions
   * @param areExpandable true if the regions can grow
   * @param stacks the number of the stack of a chunk in use
   */
  public static List<SnapshotSegment> of(
      List<RegionChunks> regions, boolean areExpandable, ToIntFunction<RegionChunks.Chunk> stacks) {
    return regions.stream()
        .map(region ->
            segment(
                region.address(),
                region.bytes(),
                areExpandable,
                region.chunks().stream().map(chunk -> block(chunk, stacks)).toList()))
        .toList();
  }

  /**
   * {@return the segments of an allocator with regions that cannot grow}
   *
   * @param allocator the allocator
   * @param withBlocks false if the lists of blocks stay empty
   */
  static List<SnapshotSegment> of(SimulatedAllocator allocator, boolean withBlocks) {
    Map<Integer, List<SnapshotBlock>> blocks = new HashMap<>();
    if (withBlocks) {
      for (SimulatedAllocator.Range range : allocator.ranges()) {
        blocks
            .computeIfAbsent(range.region(), _ -> new ArrayList<>())
            .add(
                range.isInUse()
                    ? used(
                        range.address(),
                        range.bytes(),
                        allocator.usedBytes(range.address()).requestedBytes())
                    : free(range.address(), range.bytes()));
      }
    }
    return allocator.regions().stream()
        .map(region ->
            segment(
                region.address(),
                region.bytes(),
                false,
                blocks.getOrDefault(region.index(), List.of())))
        .toList();
  }

  private static SnapshotBlock block(
      RegionChunks.Chunk chunk, ToIntFunction<RegionChunks.Chunk> stacks) {
    if (chunk.allocation().isEmpty()) {
      return free(chunk.address(), chunk.bytes());
    }
    long requestedBytes =
        chunk.slots().isPresent()
            ? chunk.slots().get().requestedBytes()
            : chunk.allocation().get().requestedBytes();
    return new SnapshotBlock(
        chunk.address(),
        chunk.bytes(),
        requestedBytes,
        chunk.isPendingFree() ? BlockState.PENDING_FREE : BlockState.ACTIVE,
        stacks.applyAsInt(chunk));
  }

  /** {@return a segment} */
  static SnapshotSegment segment(
      long address, long bytes, boolean isExpandable, List<SnapshotBlock> blocks) {
    return new SnapshotSegment(address, bytes, LANE, isExpandable, StackTable.NONE, blocks);
  }

  static SnapshotBlock used(long address, long bytes, long requestedBytes) {
    return new SnapshotBlock(address, bytes, requestedBytes, BlockState.ACTIVE, StackTable.NONE);
  }

  static SnapshotBlock free(long address, long bytes) {
    return new SnapshotBlock(address, bytes, 0, BlockState.INACTIVE, StackTable.NONE);
  }
}
