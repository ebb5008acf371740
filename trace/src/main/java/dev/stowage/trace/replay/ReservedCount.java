package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SegmentLane;
import dev.stowage.trace.pytorch.SnapshotBlock;
import dev.stowage.trace.pytorch.SnapshotSegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Adds up the blocks of an allocator to a {@link ReservedMemory}. */
final class ReservedCount {

  /** The smallest blocks of allocators with regions that serve all requests. */
  private static final long UNIT_BYTES = 256;

  private static final Comparator<SegmentLane> LANES =
      Comparator.<SegmentLane>comparingLong(lane -> PoolNumber.of(lane.pool()))
          .thenComparing(SegmentLane::stream, Long::compareUnsigned)
          .thenComparing(SegmentLane::isSmall);

  private final Set<Long> pendingFrees;
  private final Map<ReservedPart, Long> parts = new EnumMap<>(ReservedPart.class);
  private final Map<SegmentLane, ReservedMemory.PoolUse> pools = new TreeMap<>(LANES);
  private long requestedBytes;

  /**
   * @param pendingFrees the addresses of blocks that the program has freed, but that queued work
   *     may still use
   */
  ReservedCount(Set<Long> pendingFrees) {
    this.pendingFrees = pendingFrees;
    for (ReservedPart part : ReservedPart.values()) {
      parts.put(part, 0L);
    }
  }

  /** {@return the division of the memory of regions that serve all requests} */
  static ReservedMemory ofRegions(List<SnapshotSegment> regions, Set<Long> pendingFrees) {
    ReservedCount count = new ReservedCount(pendingFrees);
    for (SnapshotSegment region : regions) {
      boolean isInUse = region.blocks().stream().anyMatch(block -> block.state().isActive());
      for (SnapshotBlock block : region.blocks()) {
        if (block.state().isActive()) {
          long rounded = rounded(block.requestedBytes());
          count.addUsed(block.address(), block.bytes(), block.requestedBytes(), rounded);
        } else {
          count.add(isInUse ? ReservedPart.HOLES : ReservedPart.KEPT_SEGMENTS, block.bytes());
        }
      }
    }
    return count.result();
  }

  /** {@return the bytes of a request in the units of regions that serve all requests} */
  static long rounded(long requestedBytes) {
    return requestedBytes + UNIT_BYTES - 1 & -UNIT_BYTES;
  }

  void add(ReservedPart part, long bytes) {
    parts.merge(part, bytes, Long::sum);
  }

  /**
   * Adds a block in use, and {@return the requested bytes that the program holds}
   *
   * @param rounded the requested bytes after rounding; settings of another time may have rounded
   *     them up to less
   */
  long addUsed(long address, long bytes, long requested, long rounded) {
    if (pendingFrees.contains(address)) {
      add(ReservedPart.PENDING_FREES, bytes);
      return 0;
    }
    long needed = Math.min(rounded, bytes);
    add(ReservedPart.ROUNDING, needed - requested);
    add(ReservedPart.UNSPLIT_RESTS, bytes - needed);
    requestedBytes += requested;
    return requested;
  }

  /** Adds memory to the use of a pool. */
  void addTo(SegmentLane lane, long reserved, long inUse, long requested) {
    pools.merge(
        lane,
        new ReservedMemory.PoolUse(lane, reserved, inUse, requested),
        (a, b) ->
            new ReservedMemory.PoolUse(
                lane,
                a.reservedBytes() + b.reservedBytes(),
                a.inUseBytes() + b.inUseBytes(),
                a.requestedBytes() + b.requestedBytes()));
  }

  ReservedMemory result() {
    return new ReservedMemory(requestedBytes, parts, new ArrayList<>(pools.values()));
  }
}
