package dev.stowage.trace.netty;

import java.util.Optional;

/** The chunks of a group that no magazine holds. */
interface ChunkReuse<C extends AdaptiveChunk> {

  /**
   * {@return a chunk for a buffer, which is removed; empty if none may have the memory}
   *
   * @param bytes the capacity of the buffer
   */
  Optional<C> poll(int bytes);

  /**
   * Keeps a chunk, or retires it.
   *
   * @param chunk a chunk of a magazine
   */
  void offer(C chunk);
}
