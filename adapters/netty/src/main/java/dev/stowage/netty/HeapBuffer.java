package dev.stowage.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;

/** A heap buffer with counted bytes. */
final class HeapBuffer extends UnpooledHeapByteBuf {

  private final UsedBytes used;

  HeapBuffer(ByteBufAllocator allocator, UsedBytes used, int initialCapacity, int maxCapacity) {
    this.used = used; // the constructor of the superclass allocates the array
    super(allocator, initialCapacity, maxCapacity);
  }

  @Override
  protected byte[] allocateArray(int initialCapacity) {
    byte[] array = super.allocateArray(initialCapacity);
    used.addHeap(array.length);
    return array;
  }

  @Override
  protected void freeArray(byte[] array) {
    super.freeArray(array);
    used.addHeap(-array.length);
  }
}
