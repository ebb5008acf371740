package dev.stowage.arrow;

import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.pool.CountedBlock;
import dev.stowage.memory.pool.MemoryPool;
import org.apache.arrow.memory.AllocationManager;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.memory.ReferenceManager;

/**
 * The memory of a buffer of Arrow, in a block of a pool.
 *
 * <pre>{@code
 * try (BufferAllocator root =
 *         new RootAllocator(
 *             RootAllocator.configBuilder()
 *                 .allocationManagerFactory(PoolAllocationManager.factory(pool))
 *                 .build());
 *     ArrowBuf buffer = root.buffer(1024)) {
 *   buffer.setInt(0, 42);
 * }
 * }</pre>
 *
 * <p>Arrow counts the references to a buffer. The thread that releases the last reference returns
 * the memory to the pool. The limits of Arrow's allocators hold as before. If the pool has no room,
 * a request throws an {@link OutOfMemoryException} of Arrow. Its cause is the {@link
 * BfcOutOfMemoryException}. Bytes of a new buffer are zero if the pool zeroes memory, and otherwise
 * left from their previous use; Arrow expects no particular bytes.
 */
public final class PoolAllocationManager extends AllocationManager {

  private final CountedBlock block;
  private final long address;
  private final long bytes;

  private PoolAllocationManager(BufferAllocator allocator, CountedBlock block, long bytes) {
    super(allocator);
    this.block = block;
    this.address = block.segment().address();
    this.bytes = bytes;
  }

  /**
   * {@return a factory for buffers in a pool}
   *
   * <p>The factory does not own the pool. The caller closes the pool after Arrow's allocators.
   *
   * @param pool the memory of the buffers
   */
  public static AllocationManager.Factory factory(MemoryPool pool) {
    return new PoolFactory(pool);
  }

  private static final class PoolFactory implements AllocationManager.Factory {

    /** An aligned address for buffers of 0 bytes. No byte at it is read or written. */
    private static final long NO_BYTES_ADDRESS = 256;

    private final MemoryPool pool;
    private final ArrowBuf empty = emptyBuffer();

    PoolFactory(MemoryPool pool) {
      this.pool = pool;
    }

    @SuppressWarnings("NullAway") // Arrow's own factories pass null, because it never grows
    private static ArrowBuf emptyBuffer() {
      return new ArrowBuf(ReferenceManager.NO_OP, null, 0, NO_BYTES_ADDRESS);
    }

    @Override
    public AllocationManager create(BufferAllocator accountingAllocator, long size) {
      CountedBlock block = allocate(size);
      try {
        return new PoolAllocationManager(accountingAllocator, block, size);
      } catch (RuntimeException | Error failed) {
        block.release();
        throw failed;
      }
    }

    private CountedBlock allocate(long bytes) {
      try {
        return pool.allocateCounted(bytes);
      } catch (BfcOutOfMemoryException noRoom) {
        throw new OutOfMemoryException(noRoom.getMessage(), noRoom);
      }
    }

    @Override
    public ArrowBuf empty() {
      return empty;
    }

    @Override
    public String toString() {
      return "PoolAllocationManager.factory(pool '" + pool.name() + "')";
    }
  }

  @Override
  public long getSize() {
    return bytes;
  }

  @Override
  protected long memoryAddress() {
    return address;
  }

  @Override
  protected void release0() {
    block.release();
  }
}
