package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The request of an arena for a segment. */
final class ArenaRequest {

  /** The least alignment of a segment without bytes. */
  private static final long ALIGNMENT_BYTES = 256;

  private ArenaRequest() {}

  static void check(long byteSize, long byteAlignment) {
    if (byteSize < 0) {
      throw new IllegalArgumentException("byteSize must not be negative: byteSize=" + byteSize);
    }
    if (byteAlignment <= 0 || Long.bitCount(byteAlignment) != 1) {
      throw new IllegalArgumentException(
          "byteAlignment must be a power of two: byteAlignment=" + byteAlignment);
    }
  }

  /** {@return a segment without bytes that ends with its arena, at an aligned address} */
  static MemorySegment noBytes(long byteAlignment, Arena arena) {
    return RawMemory.segment(Math.max(ALIGNMENT_BYTES, byteAlignment), 0, arena);
  }
}
