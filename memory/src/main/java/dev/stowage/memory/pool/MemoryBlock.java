package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * One allocation of a pool with its own lifetime.
 *
 * <p>Only the thread that allocated a block can use and close it, unless the block is {@linkplain
 * MemoryPool#allocateShared(long) shared}.
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
   * <p>An access after the block is closed throws an {@link IllegalStateException}.
   */
  public MemorySegment segment() {
    return segment;
  }

  /**
   * Returns the memory to the pool; has no effect if the block or its pool is closed.
   *
   * @throws IllegalStateException if a native call works on the segment, and nothing changes; or,
   *     in {@linkplain PoolOptions#withDebugging() debug mode}, memory after its end was written
   *     to, and the memory is returned
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
