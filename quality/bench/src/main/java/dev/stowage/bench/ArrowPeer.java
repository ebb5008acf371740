package dev.stowage.bench;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Arrow's allocator over Unsafe: accounting and reference counts before malloc. */
final class ArrowPeer implements PeerAllocator {

  private final BufferAllocator allocator = new RootAllocator(Long.MAX_VALUE);
  private final ArrowBuf[] buffers;

  ArrowPeer(int slots) {
    buffers = new ArrowBuf[slots];
  }

  @Override
  public void allocate(int slot, long bytes) {
    buffers[slot] = allocator.buffer(bytes);
  }

  @Override
  public void free(int slot) {
    buffers[slot].close();
  }
}
