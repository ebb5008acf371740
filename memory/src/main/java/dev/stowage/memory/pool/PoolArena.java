package dev.stowage.memory.pool;

import dev.stowage.core.slab.AllocationGroup;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** An arena of a pool. */
abstract class PoolArena extends AllocationGroup implements Arena {

  final PoolChunks chunks;
  private final ArenaKind kind;

  PoolArena(PoolChunks chunks, ArenaKind kind, boolean isShared) {
    super(isShared);
    this.chunks = chunks;
    this.kind = kind;
  }

  /** {@return the name of the pool in messages} */
  final String poolName() {
    return chunks.poolName();
  }

  /** {@return a new segment, or empty if there is no room} */
  abstract Optional<MemorySegment> tryAllocate(long byteSize, long byteAlignment);

  /** {@return a new segment, waiting for frees if there is no room} */
  abstract MemorySegment allocateOrWait(long byteSize, long byteAlignment, Duration timeout)
      throws InterruptedException;

  /** Registers the arena at its pool, as its first allocation does. */
  abstract void register();

  /** {@return the description in messages} */
  abstract String describe();

  /** {@return the description in messages, without the thread} */
  final String describe(String threads, String tag) {
    return String.format(
        Locale.ROOT,
        "%s %s%s with %d bytes%s",
        threads,
        kind.word,
        isRegistered() ? " " + id() : "",
        requestedBytes(chunks.slabs()),
        tag.isEmpty() ? "" : String.format(Locale.ROOT, " under tag '%s'", tag));
  }

  /** {@return true if the arena is open, and only another live thread can close it} */
  abstract boolean isOfAnotherThread();

  // A pool ends all segments of its arenas before it frees the first chunk.

  /** {@return true if this thread is closing the arena, and runs a cleanup action} */
  abstract boolean isEndingHere();

  /** {@return true if a native call holds a segment, or this thread is closing the arena} */
  abstract boolean isInUse();

  /** Ends the segments, and keeps the chunks; has no effect if the segments have ended. */
  abstract void endSegments();

  /** {@return true if the segments have ended} */
  abstract boolean hasEnded();

  /** Frees the chunks after {@link #endSegments()}, unless another thread has closed the arena. */
  abstract void freeMemory();
}
