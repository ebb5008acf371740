package dev.stowage.memory.pool;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
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
  <E extends Exception> MemoryBlock block(
      PoolArena arena, long bytes, long alignment, ChunkRequest<E> request) throws E {
    MemorySegment segment = segment(arena, bytes, alignment, request);
    return new MemoryBlock(watched(arena), segment);
  }

  /** {@return a new block in an arena of its own, or empty if there is no room} */
  Optional<MemoryBlock> tryBlock(PoolArena arena, long bytes, long alignment) {
    MemorySegment segment = segment(arena, bytes, alignment, ChunkRequest.OR_EMPTY);
    return segment.address() == 0
        ? Optional.empty()
        : Optional.of(new MemoryBlock(watched(arena), segment));
  }

  /** {@return a new segment of an arena, which is closed if there is no room} */
  private static <E extends Exception> MemorySegment segment(
      PoolArena arena, long bytes, long alignment, ChunkRequest<E> request) throws E {
    boolean isDone = false;
    try {
      MemorySegment segment = arena.allocate(bytes, alignment, request);
      isDone = segment.address() != 0;
      return segment;
    } finally {
      if (!isDone) {
        arena.close();
      }
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

  /** {@return the handle of an arena for the caller} */
  Arena watched(PoolArena arena) {
    if (!watch.isNext()) {
      return arena;
    }
    arena.register(); // the report has its number
    return new WatchedArena(arena, watch);
  }
}
