package dev.stowage.trace.netty;

/** The unpooled allocator: each buffer is a chunk. */
final class UnpooledBuffers implements BufferSource {

  private final NettyChunks chunks;

  UnpooledBuffers(NettyChunks chunks) {
    this.chunks = chunks;
  }

  @Override
  public NettyBuffer allocate(int bytes, NettyThread thread) {
    return single(chunks, bytes);
  }

  /** {@return a buffer that has a chunk of its own} */
  static NettyBuffer single(NettyChunks chunks, int bytes) {
    NettyChunk chunk = chunks.add(bytes, "not pooled");
    return new NettyBuffer(chunk, 0, bytes, _ -> chunks.remove(chunk));
  }
}
