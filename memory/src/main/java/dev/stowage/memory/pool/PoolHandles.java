package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** The handles that callers have of the arenas of a pool. Safe for use by many threads. */
final class PoolHandles {

  private final HandleWatch watch;

  PoolHandles(HandleWatch watch) {
    this.watch = watch;
  }

  /** {@return a new block in an arena of its own} */
  MemoryBlock block(PoolArena arena, long bytes, long alignment) {
    boolean isDone = false;
    try {
      MemorySegment segment = arena.allocate(bytes, alignment);
      isDone = true;
      return new MemoryBlock(watched(arena), segment);
    } finally {
      closeUnless(isDone, arena);
    }
  }

  /** {@return a new block in an arena of its own, waiting for frees if there is no room} */
  MemoryBlock awaitBlock(PoolArena arena, PoolRequest request, Duration timeout)
      throws InterruptedException {
    boolean isDone = false;
    try {
      MemorySegment segment = arena.allocateOrWait(request.bytes(), request.alignment(), timeout);
      isDone = true;
      return new MemoryBlock(watched(arena), segment);
    } finally {
      closeUnless(isDone, arena);
    }
  }

  /** {@return a new block in an arena of its own, or empty if there is no room} */
  Optional<MemoryBlock> tryBlock(PoolArena arena, long bytes, long alignment) {
    boolean isDone = false;
    try {
      Optional<MemorySegment> segment = arena.tryAllocate(bytes, alignment);
      isDone = segment.isPresent();
      return isDone
          ? Optional.of(new MemoryBlock(watched(arena), segment.get()))
          : Optional.empty();
    } finally {
      closeUnless(isDone, arena);
    }
  }

  /** {@return a new counted block} */
  CountedBlock counted(CountedMemory memory, SharedArena lasting, long bytes) {
    MemorySegment segment = memory.allocate(bytes, lasting);
    return new CountedBlock(
        memory, segment, watch.isNext() ? Optional.of(this::watch) : Optional.empty());
  }

  private Cleaner.Cleanable watch(CountedBlock block, CountedMemory memory) {
    Supplier<String> description =
        () ->
            String.format(
                Locale.ROOT,
                "pool '%s': %s became unreachable without being released, and its memory stays in use until the pool is closed: call release()",
                memory.poolName(),
                memory.describe());
    return watch.report(memory::isOpen, description).watch(block);
  }

  private static void closeUnless(boolean isDone, PoolArena arena) {
    if (!isDone) {
      arena.close();
    }
  }

  /** {@return the handle of an arena for the caller} */
  Arena watched(PoolArena arena) {
    if (!watch.isNext()) {
      return arena;
    }
    arena.register(); // the report has its number
    return new WatchedArena(arena, watch);
  }
}
