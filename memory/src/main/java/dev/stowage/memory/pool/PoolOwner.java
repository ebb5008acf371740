package dev.stowage.memory.pool;

import dev.stowage.allocator.internal.SlotUse;
import dev.stowage.allocator.slab.AllocationGroup;
import java.util.List;
import java.util.Locale;

/** An owner of memory of a pool, with segments that end before the memory is freed. */
abstract class PoolOwner extends AllocationGroup {

  final PoolChunks chunks;
  private final ArenaKind kind;

  PoolOwner(PoolChunks chunks, ArenaKind kind) {
    this.chunks = chunks;
    this.kind = kind;
  }

  /** {@return the name of the pool in messages} */
  final String poolName() {
    return chunks.poolName();
  }

  /** Registers the owner at its pool, as its first allocation does. */
  abstract void register();

  /** {@return all allocations} */
  final List<SlotUse.Slot> allocations() {
    return allocations(chunks.slabs());
  }

  /** {@return the path of tags of the first allocation; empty if there is none} */
  final String tag() {
    List<SlotUse.Slot> allocations = allocations();
    return allocations.isEmpty() ? "" : allocations.getFirst().tag();
  }

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
        allocations().stream().mapToLong(SlotUse.Slot::requestedBytes).sum(),
        tag.isEmpty() ? "" : String.format(Locale.ROOT, " under tag '%s'", tag));
  }

  /** {@return true if the owner was not closed} */
  abstract boolean isOpen();

  /** {@return true if the owner is open, and only another live thread can close it} */
  abstract boolean isOfAnotherThread();

  /** {@return true if {@link MemoryPool#closeWithin} waits until the owner is closed} */
  abstract boolean isAwaited();

  // A pool ends all segments of its owners before it frees the first chunk.

  /**
   * Keeps other threads from allocating and closing, until {@link #endHold()}.
   *
   * @return false, without a wait, if a native call holds a segment, another thread allocates or
   *     closes the owner now, or this thread is closing it and runs a cleanup action
   */
  abstract boolean tryHold();

  /** Lets other threads use the owner again. */
  abstract void endHold();

  /** Ends the segments, and keeps the memory; has no effect if the segments have ended. */
  abstract void endSegments();

  /** {@return true if the segments have ended} */
  abstract boolean hasEnded();

  /** Frees the memory after {@link #endSegments()}, unless another thread has closed the owner. */
  abstract void freeMemory();
}
