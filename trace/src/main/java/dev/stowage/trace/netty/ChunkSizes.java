package dev.stowage.trace.netty;

/** The sizes of buffers and chunks in magazines. */
interface ChunkSizes<C extends AdaptiveChunk> {

  /** {@return the bytes of the memory of a buffer} */
  int rounded(int bytes);

  /**
   * {@return a new chunk}
   *
   * @param bytes the capacity of the first buffer
   */
  C newChunk(int bytes);
}
