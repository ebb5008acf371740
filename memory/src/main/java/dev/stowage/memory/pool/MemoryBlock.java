package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One allocation of a pool, with a lifetime of its own.
 *
 * <p>It is used and closed by the thread that allocated it, or by any thread if it was allocated
 * {@linkplain MemoryPool#allocateShared(long) shared}.
 */
public final class MemoryBlock implements AutoCloseable {

  private final Arena arena;
  private final MemorySegment segment;

  MemoryBlock(Arena arena, MemorySegment segment) {
    this.arena = arena;
    this.segment = segment;
  }

  /**
   * {@return the memory}
   *
   * <p>Once the block is closed, touching it is an {@link IllegalStateException}.
   */
  public MemorySegment segment() {
    return segment;
  }

  /**
   * Returns the memory to the pool; has no effect if the block or its pool is closed.
   *
   * @throws IllegalStateException if a native call works on the segment; nothing changes
   * @throws WrongThreadException if the block belongs to another thread; nothing changes
   */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      try {
        arena.close();
      } catch (AlreadyClosedException closedMeanwhile) {
        // by another thread, or with the pool
      }
    }
  }
}
