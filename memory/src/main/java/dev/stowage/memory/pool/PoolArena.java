package dev.stowage.memory.pool;

import java.lang.foreign.Arena;

/** An arena of a pool. */
interface PoolArena extends Arena {

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
