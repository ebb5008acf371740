package dev.stowage.memory.pool;

import dev.stowage.core.bfc.CallerStack;
import dev.stowage.memory.lifetime.Forgotten;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/** The user's hold on an arena of a pool, which is reported if it is forgotten. */
final class WatchedArena implements Arena {

  /* The pool knows its arenas until they are closed, so that they are never unreachable. */

  private final PoolArena arena;
  private final Cleaner.Cleanable watch;

  WatchedArena(PoolArena arena, Optional<CallerStack> stack, Consumer<String> report) {
    this.arena = arena;
    this.watch =
        new Forgotten(arena.scope()::isAlive, () -> describe(arena), stack, report).watch(this);
  }

  private static String describe(PoolArena arena) {
    return String.format(
        Locale.ROOT,
        "pool '%s': %s was forgotten, its memory is not given back before the pool is closed: close() it",
        arena.allocations().pool().name(),
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
        watch.clean();
      }
    }
  }
}
