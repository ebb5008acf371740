package dev.stowage.trace.netty;

/** The rules by which an allocator of Netty finds memory for buffers. */
@FunctionalInterface
interface BufferSource {

  /**
   * {@return the memory of a new buffer}
   *
   * @param bytes the capacity of the buffer; positive
   * @param thread the thread of the program
   * @throws ChunkLimitException if the limit does not permit a chunk that the buffer needs
   */
  NettyBuffer allocate(int bytes, NettyThread thread);
}
