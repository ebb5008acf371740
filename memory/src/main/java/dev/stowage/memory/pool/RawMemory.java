package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Host memory at an address. */
final class RawMemory {

  private RawMemory() {}

  @SuppressWarnings("restricted") // the bytes belong to the arena until it has ended
  static MemorySegment segment(long address, long byteSize, Arena arena) {
    return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
  }
}
