package dev.stowage.memory.pool;

import java.lang.foreign.Arena;

/** An arena of a pool. */
sealed interface PoolArena extends Arena permits ConfinedArena, SharedArena {

  /** The kinds of arenas, by the handle of the caller. */
  enum Kind {
    ARENA("arena"),
    BLOCK("block"),
    LASTING("lasting memory");

    final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  PoolAllocations allocations();

  /** {@return the description in messages} */
  String describe();

  /** {@return true if the arena is open, and only another live thread can close it} */
  boolean isOfAnotherThread();

  // A pool ends all segments of its arenas before it frees the first chunk.

  /** {@return true if this thread is closing the arena, and runs a cleanup action} */
  boolean isEndingHere();

  /** {@return true if a native call holds a segment, or this thread is closing the arena} */
  boolean isInUse();

  /** Ends the segments, and keeps the chunks; has no effect if the segments have ended. */
  void end();

  /** {@return true if the segments have ended} */
  boolean hasEnded();

  /** Frees the chunks after {@link #end()}, unless another thread has closed the arena. */
  void freeChunks();
}
