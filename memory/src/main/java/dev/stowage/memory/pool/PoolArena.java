package dev.stowage.memory.pool;

import dev.stowage.allocator.slab.SlabAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** An arena of a pool. */
abstract class PoolArena extends PoolOwner implements Arena {

  /** The arena of all segments. */
  final Arena backing;

  /** True if the pool has ended the segments and has not freed the chunks. */
  boolean endedByPool;

  PoolArena(PoolChunks chunks, ArenaKind kind, Arena backing) {
    super(chunks, kind);
    this.backing = backing;
  }

  @Override
  final boolean isOpen() {
    return scope().isAlive();
  }

  @Override
  public final MemorySegment allocate(long byteSize, long byteAlignment) {
    return allocate(byteSize, byteAlignment, ChunkRequest.OR_THROW);
  }

  /** {@return a new segment; at address 0 if there is no room, and the request is not to throw} */
  abstract <E extends Exception> MemorySegment allocate(
      long byteSize, long byteAlignment, ChunkRequest<E> request) throws E;

  /** {@return a new segment of this open arena, as {@link #allocate}} */
  final <E extends Exception> MemorySegment segment(
      long byteSize, long byteAlignment, ChunkRequest<E> request) throws E {
    if (byteSize == 0) {
      return ArenaRequest.noBytes(byteAlignment, backing);
    }
    long address = chunks.allocate(this, byteSize, byteAlignment, request);
    return address == SlabAllocator.NONE
        ? MemorySegment.NULL
        : RawMemory.segment(address, byteSize, backing);
  }

  final boolean isAlive() {
    return backing.scope().isAlive();
  }

  final void checkAlive() {
    if (!isAlive()) {
      throw new AlreadyClosedException();
    }
  }

  /** Registers the arena, or ends it if the pool was closed before its first use. */
  final void registerOrEnd() {
    if (isAlive()) {
      if (chunks.slabs().isClosed()) {
        backing.close();
      } else {
        register();
      }
    }
  }

  /** Ends all segments and frees the memory. */
  final void closeAndFree() {
    try {
      backing.close();
    } finally {
      // A cleanup action of the caller can fail after all segments have ended.
      if (!isAlive()) {
        chunks.freeAll(this);
      }
    }
  }

  /** Ends all segments, and keeps the memory. */
  final void endByPool() {
    if (isAlive()) {
      try {
        backing.close();
      } finally {
        endedByPool = !isAlive();
      }
    }
  }
}
