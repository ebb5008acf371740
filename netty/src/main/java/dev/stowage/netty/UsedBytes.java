package dev.stowage.netty;

import io.netty.buffer.ByteBufAllocatorMetric;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** The capacities of the buffers that are not released. Safe for use by many threads. */
final class UsedBytes implements ByteBufAllocatorMetric {

  private final LongAdder direct = new LongAdder();
  private final LongAdder heap = new LongAdder();

  void addDirect(long bytes) {
    direct.add(bytes);
  }

  void addHeap(long bytes) {
    heap.add(bytes);
  }

  @Override
  public long usedDirectMemory() {
    return direct.sum();
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
