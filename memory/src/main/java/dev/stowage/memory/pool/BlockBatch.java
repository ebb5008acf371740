package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcOutOfMemoryException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Blocks that all threads can use and that end together. The JVM checks only once that no thread
 * uses them.
 *
 * <pre>{@code
 * try (BlockBatch batch = pool.openBatch()) {
 *   for (Request request : requests) {
 *     MemoryBlock block = batch.allocate(request.bytes());
 *     executor.execute(() -> request.run(block)); // which closes the block
 *   }
 * } // the memory ends when the last block is closed
 * }</pre>
 *
 * <p>The batch ends when it and all its blocks are closed, in any order and by any threads. The
 * last close returns the memory of all blocks to the pool. It takes as long as closing one
 * {@linkplain MemoryPool#allocateShared shared} block. Until then, the memory of closed blocks
 * stays in use, so that an access to a closed block changes no other block. Afterwards, an access
 * to any block throws an {@link IllegalStateException}.
 *
 * <p>Safe for use by many threads.
 */
public final class BlockBatch implements AutoCloseable {

  /** The arena of all blocks. */
  private final Arena arena;

  /** The batch, if it is open, and its open blocks. */
  private final AtomicInteger open = new AtomicInteger(1);

  private final Share self = new Share();

  BlockBatch(Arena arena) {
    this.arena = arena;
  }

  /** The part of a block, or of the batch itself, in the end of all. */
  private final class Share implements Arena {

    private final AtomicBoolean closed = new AtomicBoolean();

    @Override
    public MemorySegment allocate(long byteSize, long byteAlignment) {
      return arena.allocate(byteSize, byteAlignment);
    }

    @Override
    public MemorySegment.Scope scope() {
      return arena.scope();
    }

    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        boolean isDone = false;
        try {
          countDown();
          isDone = true;
        } finally {
          closed.set(isDone || !arena.scope().isAlive());
        }
      }
    }
  }

  /**
   * {@return new memory for all threads, which ends with the batch}
   *
   * @param bytes the size
   * @throws IllegalArgumentException if {@code bytes < 0}
   * @throws IllegalStateException if the batch or the pool is closed
   * @throws BfcOutOfMemoryException if there is no room; the other blocks stay valid
   */
  public MemoryBlock allocate(long bytes) {
    countUp();
    boolean isDone = false;
    try {
      MemoryBlock block = new MemoryBlock(new Share(), arena.allocate(bytes, 1));
      isDone = true;
      return block;
    } catch (AlreadyClosedException withThePool) {
      throw closed();
    } finally {
      if (!isDone) {
        countDown();
      }
    }
  }

  private void countUp() {
    int count = open.get();
    while (count > 0 && !self.closed.get()) {
      if (open.compareAndSet(count, count + 1)) {
        return;
      }
      count = open.get();
    }
    throw closed();
  }

  private static IllegalStateException closed() {
    return new IllegalStateException(
        "the batch is closed: open another one with MemoryPool.openBatch()");
  }

  private void countDown() {
    if (open.decrementAndGet() == 0) {
      boolean isEnded = false;
      try {
        arena.close();
        isEnded = true;
      } finally {
        if (!isEnded && arena.scope().isAlive()) {
          open.incrementAndGet(); // a native call works on a segment
        }
      }
    }
  }

  /**
   * Closes the batch. A closed batch rejects new blocks, and ends when all its blocks are closed.
   * Has no effect if the batch or its pool is closed.
   *
   * @throws IllegalStateException if all blocks are closed and a native call works on a segment;
   *     nothing changes
   */
  @Override
  public void close() {
    if (arena.scope().isAlive()) {
      self.close();
    }
  }
}
