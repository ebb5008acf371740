package dev.stowage.netty;

import io.netty.buffer.UnpooledHeapByteBuf;

/** A heap buffer whose bytes are counted. */
final class HeapBuffer extends UnpooledHeapByteBuf {

  HeapBuffer(PoolByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
    super(allocator, initialCapacity, maxCapacity);
  }

  @Override
  protected byte[] allocateArray(int initialCapacity) {
    byte[] array = super.allocateArray(initialCapacity);
    ((PoolByteBufAllocator) alloc()).addHeap(array.length);
    return array;
  }

  @Override
  protected void freeArray(byte[] array) {
    super.freeArray(array);
    ((PoolByteBufAllocator) alloc()).addHeap(-array.length);
  }
}
