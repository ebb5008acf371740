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

  /** {@return whether it is open, and only another thread, which lives, can close it} */
  boolean isOfAnotherThread();

  /** Closes it, or takes its memory back where the thread that could close it has ended. */
  void closeOrAbandon();
}
