package dev.stowage.memory.synced;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * The segments of one piece of host memory that were handed out; they end before it does.
 *
 * <p>Safe for use by many threads.
 */
final class HostViews {

  /*
   * Its lock is the last one that any thread takes: memory of a pool ends in whichever thread closes
   * the pool, while another one may hold the buffer's lock and want the pool's.
   */

  private final String buffer;
  private Optional<Arena> readers = Optional.empty();
  private Optional<Arena> writers = Optional.empty();
  private boolean ended;

  HostViews(String buffer) {
    this.buffer = buffer;
  }

  /** {@return the same memory, as a segment that ends when this is told so} */
  @SuppressWarnings("restricted") // the arenas end before the memory: `endForGood` sees to it
  synchronized MemorySegment open(MemorySegment memory, boolean writing) {
    if (ended) {
      throw HostSide.memoryEnded(buffer);
    }
    if (writing) {
      writers = writers.or(() -> Optional.of(Arena.ofShared()));
      return memory.reinterpret(writers.get(), null);
    }
    readers = readers.or(() -> Optional.of(Arena.ofShared()));
    return memory.reinterpret(readers.get(), null).asReadOnly();
  }

  synchronized void endWriters() {
    close(writers);
    writers = Optional.empty();
  }

  synchronized void endAll() {
    endWriters();
    close(readers);
    readers = Optional.empty();
  }

  private void close(Optional<Arena> arena) {
    try {
      arena.ifPresent(Arena::close);
    } catch (IllegalStateException inUse) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "buffer '%s' cannot end its segments: a native call works on one; let it return first",
              buffer),
          inUse);
    }
  }

  /** Ends everything, also what comes, since the memory is about to go: waits for native calls. */
  synchronized void endForGood() {
    ended = true;
    boolean open = true;
    while (open) {
      try {
        endAll();
        open = false;
      } catch (IllegalStateException inUse) {
        LockSupport.parkNanos(50_000); // to return would pull the memory from under a native call
      }
    }
  }
}
