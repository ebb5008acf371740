package dev.stowage.memory.pool;

import java.lang.foreign.Arena;

/** An arena of a pool. */
sealed interface PoolArena extends Arena permits ConfinedArena, SharedArena {

  /** What a user holds it as. */
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

  /** {@return how messages call it} */
  String describe();

  /** {@return true if it is open, and only another thread, which lives, can close it} */
  boolean isOfAnotherThread();

  // How a pool closes its arenas: all segments end before the first chunk is freed.

  /** {@return true if this thread is closing it, and is in a cleanup action of that} */
  boolean isEndingHere();

  /** {@return true if a native call holds a segment, or this thread is closing the arena} */
  boolean isInUse();

  /** Ends its segments, and keeps its chunks; does nothing if they have ended. */
  void end();

  /** {@return true if its segments have ended} */
  boolean hasEnded();

  /** Gives its chunks back after {@link #end()}, unless another thread has closed it. */
  void giveBack();
}
