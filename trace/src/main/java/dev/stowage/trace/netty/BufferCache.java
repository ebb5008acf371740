package dev.stowage.trace.netty;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The freed buffers of a thread that the pooled allocator keeps for the same thread. */
final class BufferCache {

  /** The freed buffers of a size class. */
  private static final class Slots {

    private final Deque<PooledArena.Piece> pieces = new ArrayDeque<>();
    private final int capacity;
    private int hits;

    Slots(int capacity) {
      this.capacity = capacity == 0 ? 0 : NettyChunks.powerOfTwo(capacity);
    }
  }

  private final PooledArena arena;
  private final int trimInterval;
  private final List<Slots> slots = new ArrayList<>();
  private final int smallCount;
  private int requests;

  /**
   * @param isUsed false for a thread without a cache, which only has an arena
   */
  BufferCache(PooledArena arena, PooledSizes sizes, NettySettings settings, boolean isUsed) {
    this.arena = arena;
    trimInterval = settings.cacheTrimInterval();
    boolean hasSmall = isUsed && settings.smallCacheSize() > 0;
    boolean hasNormal = isUsed && settings.normalCacheSize() > 0;
    smallCount = sizes.smallCount();
    for (int i = 0; i < sizes.classCount(); i++) {
      boolean isSmall = i < smallCount;
      boolean isKept =
          isSmall ? hasSmall : hasNormal && sizes.bytes(i) <= settings.maxCachedBufferCapacity();
      int capacity = isSmall ? settings.smallCacheSize() : settings.normalCacheSize();
      slots.add(new Slots(isKept ? capacity : 0));
    }
  }

  PooledArena arena() {
    return arena;
  }

  /** {@return the buffer of a size class that was freed first; empty if there is none} */
  Optional<PooledArena.Piece> poll(int sizeClass) {
    Slots of = slots.get(sizeClass);
    if (of.capacity == 0) {
      return Optional.empty();
    }
    Optional<PooledArena.Piece> piece = Optional.ofNullable(of.pieces.pollFirst());
    if (piece.isPresent()) {
      of.hits++;
    }
    if (++requests >= trimInterval) {
      requests = 0;
      slots.forEach(this::trim);
    }
    return piece;
  }

  /** Gives back as many buffers of a class as its last requests left unused. */
  private void trim(Slots of) {
    int unused = of.capacity - of.hits;
    of.hits = 0;
    for (int i = 0; i < unused && !of.pieces.isEmpty(); i++) {
      arena.free(of.pieces.removeFirst());
    }
  }

  void free(PooledArena.Piece piece, int sizeClass) {
    Slots of = slots.get(sizeClass);
    if (of.pieces.size() < of.capacity) {
      of.pieces.addLast(piece);
    } else {
      arena.free(piece);
    }
  }
}
