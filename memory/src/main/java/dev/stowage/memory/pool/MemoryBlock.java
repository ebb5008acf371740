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
   * Gives the memory back to the pool.
   *
   * @throws IllegalStateException if the block is closed already, or a native call works on its
   *     segment; nothing changes
   * @throws WrongThreadException if it is another thread's; nothing changes
   */
  @Override
  public void close() {
    arena.close();
  }
}
