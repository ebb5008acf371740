package dev.stowage.trace.replay;

import java.util.Collection;

/**
 * The bytes that an allocator reserves at one moment, in parts: the sums of {@link ReservedMemory}.
 */
public final class ReservedBytes {

  private final long requestedBytes;
  private final long[] parts = new long[ReservedPart.values().length];

  private ReservedBytes(UsedBytes used, long pendingBytes, FreeBytes free) {
    requestedBytes = used.requestedBytes();
    set(ReservedPart.ROUNDING, used.roundedBytes() - used.requestedBytes());
    set(ReservedPart.UNSPLIT_RESTS, used.bytes() - used.roundedBytes());
    set(ReservedPart.PENDING_FREES, pendingBytes);
    set(ReservedPart.HOLES, free.holeBytes());
    set(ReservedPart.OTHER_STREAMS, free.otherStreamBytes());
    set(ReservedPart.PRIVATE_POOLS, free.privatePoolBytes());
    set(ReservedPart.KEPT_SEGMENTS, free.keptBytes());
  }

  private void set(ReservedPart part, long bytes) {
    parts[part.ordinal()] = bytes;
  }

  /**
   * {@return the parts of the memory of an allocator}
   *
   * <p>Costs O(log n) for n blocks, and O(p) for p pending frees.
   *
   * @param stream the stream of the request at this moment
   * @param pendingFrees the addresses of allocations in use that the program has freed and that
   *     queued work may still use
   */
  public static ReservedBytes of(
      SimulatedAllocator allocator, long stream, Collection<Long> pendingFrees) {
    UsedBytes used = allocator.usedBytes();
    long pendingBytes = 0;
    for (long address : pendingFrees) {
      UsedBytes block = allocator.usedBytes(address);
      used = used.minus(block);
      pendingBytes += block.bytes();
    }
    return new ReservedBytes(used, pendingBytes, allocator.freeBytes(stream));
  }

  /** {@return the requested bytes of the blocks in use, without pending frees} */
  public long requestedBytes() {
    return requestedBytes;
  }

  /**
   * {@return the bytes of a part; together with the requested ones, all reserved bytes}
   *
   * @param part the part
   */
  public long bytes(ReservedPart part) {
    return parts[part.ordinal()];
  }

  /** {@return all reserved bytes} */
  public long reservedBytes() {
    long sum = requestedBytes;
    for (long bytes : parts) {
      sum += bytes;
    }
    return sum;
  }
}
