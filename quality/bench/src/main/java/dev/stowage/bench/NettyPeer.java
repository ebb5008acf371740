package dev.stowage.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Netty's pooled allocator of direct buffers, with default options. */
final class NettyPeer implements PeerAllocator {

  private final PooledByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final ByteBuf[] buffers;

  NettyPeer(int slots) {
    buffers = new ByteBuf[slots];
  }

  @Override
  public void allocate(int slot, long bytes) {
    int capacity = Math.toIntExact(bytes);
    buffers[slot] = allocator.directBuffer(capacity, capacity);
  }

  @Override
  public void free(int slot) {
    buffers[slot].release();
  }
}
