package dev.stowage.trace.replay;

import java.util.Collection;

/**
 * The bytes that an allocator reserves at one moment, in parts: the sums of {@link ReservedMemory}.
 *
 * @param used the blocks in use, without pending frees
 * @param pendingBytes the bytes of blocks that the program has freed, but that queued work may
 *     still use
 * @param free the free bytes
 */
public record ReservedBytes(InUseBytes used, long pendingBytes, FreeBytes free) {

  /**
   * {@return the parts of the memory of an allocator}
   *
   * <p>Costs O(log n) for n blocks, and O(p) for p pending frees.
   *
   * @param stream the stream of the request at this moment
   * @param pendingFrees the addresses of allocations that the program has freed, but that queued
   *     work may still use
   */
  public static ReservedBytes of(
      SimulatedAllocator allocator, long stream, Collection<Long> pendingFrees) {
    InUseBytes used = allocator.usedBytes();
    long pendingBytes = 0;
    for (long address : pendingFrees) {
      InUseBytes block = allocator.usedBytes(address);
      used = used.minus(block);
      pendingBytes += block.bytes();
    }
    return new ReservedBytes(used, pendingBytes, allocator.freeBytes(stream));
  }

  /** {@return the requested bytes of the blocks in use, without pending frees} */
  public long requestedBytes() {
    return used.requestedBytes();
  }

  /**
   * {@return the bytes of a part; together with the requested ones, all reserved bytes}
   *
   * @param part the part
   */
  public long bytes(ReservedPart part) {
    return switch (part) {
      case ROUNDING -> used.roundedBytes() - used.requestedBytes();
      case UNSPLIT_RESTS -> used.bytes() - used.roundedBytes();
      case PENDING_FREES -> pendingBytes;
      case HOLES -> free.holeBytes();
      case OTHER_STREAMS -> free.otherStreamBytes();
      case PRIVATE_POOLS -> free.privatePoolBytes();
      case KEPT_SEGMENTS -> free.keptBytes();
    };
  }

  /** {@return all reserved bytes} */
  public long reservedBytes() {
    return used.bytes() + pendingBytes + free.bytes();
  }
}
