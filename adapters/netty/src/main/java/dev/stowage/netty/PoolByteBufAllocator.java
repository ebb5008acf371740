package dev.stowage.netty;

import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.pool.MemoryPool;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocatorMetric;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.util.Locale;

/**
 * An allocator of Netty with direct buffers in the memory of a pool.
 *
 * <pre>{@code
 * MemoryPool pool =
 *     MemoryPool.open(
 *         "network", host, BfcOptions.expandable(), PoolOptions.standard().withoutZeroing());
 * bootstrap.option(ChannelOption.ALLOCATOR, PoolByteBufAllocator.of(pool));
 * }</pre>
 *
 * <p>The buffers behave like the buffers of Netty's own allocators: any thread may release a
 * buffer, its capacity grows up to the maximum, and Netty's leak detector tracks it. A buffer has
 * the alignment and the tag of an allocation of the pool. Its bytes are zero if the pool zeroes
 * memory, and otherwise left from their previous use. Heap buffers are arrays of the JVM and take
 * no memory of the pool. Composite buffers are Netty's own. Only their direct components take
 * memory of the pool.
 *
 * <p>If the pool has no room, a request throws an {@link OutOfMemoryError}. Its cause is the {@link
 * BfcOutOfMemoryException}. Netty then closes the connection of the request.
 *
 * <p>The allocator does not own the pool. The caller closes the pool after the last buffer is
 * released. Allocators are safe for use by many threads.
 */
public final class PoolByteBufAllocator extends AbstractByteBufAllocator
    implements ByteBufAllocatorMetricProvider {

  private final MemoryPool pool;
  private final PoolBlocks blocks;
  private final UsedBytes used;

  private PoolByteBufAllocator(MemoryPool pool, boolean prefersDirect) {
    super(prefersDirect);
    this.pool = pool;
    this.blocks = new PoolBlocks(pool);
    this.used = new UsedBytes(pool);
  }

  /**
   * {@return an allocator that returns direct buffers if the caller does not choose the kind}
   *
   * @param pool the memory of direct buffers
   */
  public static PoolByteBufAllocator of(MemoryPool pool) {
    return new PoolByteBufAllocator(pool, true);
  }

  /**
   * {@return an allocator that returns heap buffers if the caller does not choose the kind}
   *
   * @param pool the memory of direct buffers
   */
  public static PoolByteBufAllocator preferringHeap(MemoryPool pool) {
    return new PoolByteBufAllocator(pool, false);
  }

  /** {@return the memory of direct buffers} */
  public MemoryPool pool() {
    return pool;
  }

  @Override
  protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
    return toLeakAwareBuffer(new PoolBuffer(this, blocks, initialCapacity, maxCapacity));
  }

  @Override
  protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
    return new HeapBuffer(this, used, initialCapacity, maxCapacity);
  }

  @Override
  public boolean isDirectBufferPooled() {
    return true;
  }

  /**
   * {@return the bytes in heap buffers, and the bytes in use of the pool, which may have other
   * users}
   */
  @Override
  public ByteBufAllocatorMetric metric() {
    return used;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "PoolByteBufAllocator[pool=%s, %s]", pool.name(), used);
  }
}
