package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Optional;

/** An arena of a pool. */
abstract class PoolArena extends PoolOwner implements Arena {

  PoolArena(PoolChunks chunks, ArenaKind kind) {
    super(chunks, kind);
  }

  @Override
  final boolean isOpen() {
    return scope().isAlive();
  }

  /** {@return a new segment, or empty if there is no room} */
  abstract Optional<MemorySegment> tryAllocate(long byteSize, long byteAlignment);

  /** {@return a new segment, waiting for frees if there is no room} */
  abstract MemorySegment allocateOrWait(long byteSize, long byteAlignment, Duration timeout)
      throws InterruptedException;
}
