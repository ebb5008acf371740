package dev.stowage.memory.synced;

import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The segments of host memory that callers have; guarded by the lock of the buffer.
 *
 * <p>Their arenas come from the source of the memory: a pool ends them with its other arenas,
 * before it frees the memory.
 */
final class HostViews {

  private final String buffer;
  private final Supplier<Arena> arenas;
  private Optional<Arena> readers = Optional.empty();
  private Optional<Arena> writers = Optional.empty();

  HostViews(String buffer, Supplier<Arena> arenas) {
    this.buffer = buffer;
    this.arenas = arenas;
  }

  /** {@return a segment of the same memory that {@code endWriters} or {@code endAll} ends} */
  @SuppressWarnings("restricted") // the arenas are closed before the memory is freed
  MemorySegment open(MemorySegment memory, boolean writing) {
    if (writing) {
      writers = Optional.of(liveOf(writers));
      return memory.reinterpret(writers.get(), null);
    }
    readers = Optional.of(liveOf(readers));
    return memory.reinterpret(readers.get(), null).asReadOnly();
  }

  /** {@return the arena, or a new one if the pool has closed it} */
  private Arena liveOf(Optional<Arena> arena) {
    return arena.filter(each -> each.scope().isAlive()).orElseGet(arenas);
  }

  boolean hasReaders() {
    return readers.filter(each -> each.scope().isAlive()).isPresent();
  }

  boolean hasWriters() {
    return writers.filter(each -> each.scope().isAlive()).isPresent();
  }

  void endWriters() {
    close(writers);
    writers = Optional.empty();
  }

  /** Ends all segments, or none if a native call holds one. */
  void endAll() {
    if (writers.isPresent() && readers.filter(ArenaUse::isInUse).isPresent()) {
      throw inUse();
    }
    endWriters();
    close(readers);
    readers = Optional.empty();
  }

  private void close(Optional<Arena> arena) {
    try {
      arena.ifPresent(Arena::close);
    } catch (IllegalStateException refused) {
      // The pool may have closed it.
      if (arena.filter(each -> each.scope().isAlive()).isPresent()) {
        IllegalStateException inUse = inUse();
        inUse.initCause(refused);
        throw inUse;
      }
    }
  }

  private IllegalStateException inUse() {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "buffer '%s' cannot end its segments while a native call works on one; call again after it has returned",
            buffer));
  }
}
