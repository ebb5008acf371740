package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcOutOfMemoryException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Direct buffers of the JDK in memory of a pool, for libraries that call functions of their user to
 * allocate and recycle each {@link ByteBuffer}.
 *
 * <pre>{@code
 * ByteBufferPool buffers = ByteBufferPool.of(pool);
 * ByteBuffer buffer = buffers.allocate(8192);
 * try {
 *   channel.read(buffer);
 * } finally {
 *   buffers.free(buffer);
 * }
 * }</pre>
 *
 * <p>A buffer is valid from {@link #allocate} to {@link #free}. Any thread may call {@code free}.
 * The garbage collector does not free it. As with a {@link CountedBlock}, an access after the free
 * is not detected, except in debug mode or after the pool is closed. Safe for use by many threads.
 */
public final class ByteBufferPool {

  private record Issued(CountedBlock block, int bytes) {}

  private final MemoryPool pool;
  private final Map<Long, Issued> issuedByAddress = new ConcurrentHashMap<>();

  private ByteBufferPool(MemoryPool pool) {
    this.pool = pool;
  }

  /**
   * {@return buffers in a pool; the caller closes the pool}
   *
   * @param pool the memory of the buffers
   */
  public static ByteBufferPool of(MemoryPool pool) {
    return new ByteBufferPool(pool);
  }

  /**
   * {@return a new direct buffer for all threads, at position 0 and in big-endian order, as {@link
   * ByteBuffer#allocateDirect}}
   *
   * @param bytes the capacity
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the pool is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  public ByteBuffer allocate(int bytes) {
    if (bytes == 0) { // all buffers without bytes would have one address
      return ByteBuffer.allocateDirect(0);
    }
    CountedBlock block = pool.allocateCounted(bytes);
    MemorySegment segment = block.segment();
    issuedByAddress.put(segment.address(), new Issued(block, bytes));
    return segment.asByteBuffer();
  }

  /**
   * Returns the memory of a buffer to the pool.
   *
   * <p>The position, the limit and the order of the buffer may have changed. After the call, the
   * caller must not use the buffer, its slices or its duplicates.
   *
   * @param buffer a result of {@link #allocate}
   * @throws IllegalArgumentException if the buffer is free, is a part of another one, or has memory
   *     from elsewhere; nothing changes
   * @throws IllegalStateException if, in debug mode, a native call uses the buffer, such as a call
   *     of a channel; nothing changes
   */
  public void free(ByteBuffer buffer) {
    if (buffer.capacity() == 0) {
      return;
    }
    MemorySegment whole = MemorySegment.ofBuffer(buffer.duplicate().clear());
    Issued issued = whole.isNative() ? issuedByAddress.get(whole.address()) : null;
    if (issued == null
        || issued.bytes() != buffer.capacity()
        || !issuedByAddress.remove(whole.address(), issued)) { // another thread frees it, too
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "nothing to free in pool '%s' for a buffer of %d bytes: pass a buffer that allocate returned, once, and no slice of it",
              pool.name(),
              buffer.capacity()));
    }
    try {
      issued.block().release();
    } finally {
      if (issued.block().references() > 0) {
        issuedByAddress.put(whole.address(), issued);
      }
    }
  }

  /** {@return the number of buffers that are not freed} */
  public int buffersInUse() {
    return issuedByAddress.size();
  }

  /** {@return the name of the pool and the number of buffers} */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT, "ByteBufferPool[pool=%s, buffersInUse=%d]", pool.name(), buffersInUse());
  }
}
