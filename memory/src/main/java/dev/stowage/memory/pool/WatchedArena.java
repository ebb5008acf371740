package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Locale;

/**
 * The caller's handle of an arena, which is reported if it becomes unreachable before it is closed.
 */
final class WatchedArena implements Arena {

  /* The pool refers to its open arenas, so that only this handle can become unreachable. */

  private final PoolArena arena;
  private final Cleaner.Cleanable endOfWatch;

  WatchedArena(PoolArena arena, HandleWatch watch) {
    this.arena = arena;
    this.endOfWatch = watch.report(arena.scope()::isAlive, () -> describe(arena)).watch(this);
  }

  private static String describe(PoolArena arena) {
    return String.format(
        Locale.ROOT,
        "pool '%s': %s became unreachable without being closed, and its memory stays in use until the pool is closed: call close()",
        arena.poolName(),
        arena.describe());
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    return arena.allocate(byteSize, byteAlignment);
  }

  @Override
  public MemorySegment.Scope scope() {
    return arena.scope();
  }

  @Override
  public void close() {
    try {
      arena.close();
    } finally {
      if (!arena.scope().isAlive()) {
        endOfWatch.clean();
      }
    }
  }
}
