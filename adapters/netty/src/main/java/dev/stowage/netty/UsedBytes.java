package dev.stowage.netty;

import dev.stowage.memory.pool.MemoryPool;
import io.netty.buffer.ByteBufAllocatorMetric;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** The bytes of an allocator in use. Safe for use by many threads. */
final class UsedBytes implements ByteBufAllocatorMetric {

  /*
   * The pool counts its bytes in any case. With a second count, it would take a fifth longer to
   * allocate and release a small buffer.
   */

  private final MemoryPool pool;
  private final LongAdder heap = new LongAdder();

  UsedBytes(MemoryPool pool) {
    this.pool = pool;
  }

  void addHeap(long bytes) {
    heap.add(bytes);
  }

  @Override
  public long usedDirectMemory() {
    return pool.statistics().requestedBytesInUse();
  }

  @Override
  public long usedHeapMemory() {
    return heap.sum();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "directBytes=%d, heapBytes=%d", usedDirectMemory(), usedHeapMemory());
  }
}
