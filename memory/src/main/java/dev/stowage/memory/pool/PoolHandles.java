package dev.stowage.memory.pool;

import dev.stowage.allocator.CallerStack;
import dev.stowage.memory.lifetime.UnclosedReport;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The handles that callers have of the arenas of a pool. Safe for use by many threads. */
final class PoolHandles {

  private final PoolChunks chunks;
  private final Consumer<String> reports;
  private final WatchedSample sample = new WatchedSample();

  PoolHandles(PoolChunks chunks, Consumer<String> reports) {
    this.chunks = chunks;
    this.reports = reports;
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
    boolean isWatched = (sample.isNext() || chunks.isDebugging()) && !UnclosedReport.isSuppressed();
    return new CountedBlock(
        memory, segment, isWatched ? Optional.of(this::watch) : Optional.empty());
  }

  private Cleaner.Cleanable watch(CountedBlock block, CountedMemory memory) {
    Supplier<String> description =
        () ->
            String.format(
                Locale.ROOT,
                "pool '%s': %s became unreachable without being released, and its memory stays in use until the pool is closed: call release()",
                memory.poolName(),
                memory.describe());
    return new UnclosedReport(memory::isOpen, description, stack(), reports).watch(block);
  }

  private static void closeUnless(boolean isDone, PoolArena arena) {
    if (!isDone) {
      arena.close();
    }
  }

  /** {@return the handle of an arena for the caller; one of 128, or each one, is watched} */
  Arena watched(PoolArena arena) {
    return sample.isNext() || chunks.isDebugging() ? watchedUnlessSuppressed(arena) : arena;
  }

  private Arena watchedUnlessSuppressed(PoolArena arena) {
    if (UnclosedReport.isSuppressed()) {
      return arena;
    }
    arena.register(); // the report has its number
    return new WatchedArena(arena, stack(), reports);
  }

  /** {@return the stack of the caller, if the pool keeps stacks} */
  private Optional<CallerStack> stack() {
    return chunks.allocator().options().hasStacks()
        ? Optional.of(new CallerStack())
        : Optional.empty();
  }
}
