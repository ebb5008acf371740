package dev.stowage.trace.netty;

import java.util.Optional;

/** A chunk of the adaptive allocator, from which one magazine at a time allocates. */
interface AdaptiveChunk {

  /**
   * {@return a buffer; empty if the chunk has no free memory of this size}
   *
   * @param bytes the bytes, as {@link ChunkSizes} round them
   */
  Optional<NettyBuffer> take(int bytes);

  /** {@return the free bytes, which need not be contiguous} */
  int remainingBytes();

  /** Gives the chunk back now, or when its last buffer is freed. */
  void retire();
}
