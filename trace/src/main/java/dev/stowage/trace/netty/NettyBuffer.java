package dev.stowage.trace.netty;

import java.util.function.LongConsumer;

/**
 * The memory of a buffer.
 *
 * @param chunk its chunk
 * @param offset its start in the chunk
 * @param bytes its bytes, with rounding
 * @param release gives the memory back to the allocator, in the thread that it gets
 */
record NettyBuffer(NettyChunk chunk, long offset, long bytes, LongConsumer release) {

  long address() {
    return chunk.region().address() + offset;
  }
}
