package dev.stowage.trace.replay;

import dev.stowage.trace.pytorch.SegmentLane;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The bytes that an allocator reserves at one moment: the requested bytes, and the parts beyond
 * them.
 *
 * @param requestedBytes the requested bytes of the blocks in use, without pending frees
 * @param bytes the bytes of each part; together with the requested ones, all reserved bytes
 * @param pools the use of each pool; empty if the allocator does not divide its memory
 */
public record ReservedMemory(
    long requestedBytes, Map<ReservedPart, Long> bytes, List<PoolUse> pools) {

  /** Creates a division of reserved bytes. */
  public ReservedMemory {
    bytes = Collections.unmodifiableMap(new EnumMap<>(bytes));
    pools = List.copyOf(pools);
  }

  /**
   * The memory of one kind of requests.
   *
   * @param lane the stream, the pool and the sizes of the requests
   * @param reservedBytes the bytes of its segments
   * @param inUseBytes the bytes of its blocks in use, with pending frees
   * @param requestedBytes the requested bytes of these blocks, without pending frees
   */
  public record PoolUse(
      SegmentLane lane, long reservedBytes, long inUseBytes, long requestedBytes) {}

  /**
   * {@return the bytes of a part}
   *
   * @param part the part
   */
  public long bytes(ReservedPart part) {
    return bytes.getOrDefault(part, 0L);
  }
}
