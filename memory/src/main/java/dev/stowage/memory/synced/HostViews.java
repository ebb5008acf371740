package dev.stowage.memory.synced;

import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The segments of one piece of host memory that were handed out; guarded by the buffer's lock.
 *
 * <p>Their arenas are from where the memory is from: a pool ends them with its other arenas, all
 * before it takes the memory.
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

  /** {@return the same memory, as a segment that ends when this is told so} */
  @SuppressWarnings("restricted") // the arenas end before the memory
  MemorySegment open(MemorySegment memory, boolean writing) {
    if (writing) {
      writers = Optional.of(liveOf(writers));
      return memory.reinterpret(writers.get(), null);
    }
    readers = Optional.of(liveOf(readers));
    return memory.reinterpret(readers.get(), null).asReadOnly();
  }

  /** {@return an arena that is open, or else a new one: its pool may have ended it} */
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
      // It may have ended with its pool.
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
            "buffer '%s' cannot end its segments: a native call works on one; let it return first",
            buffer));
  }
}
