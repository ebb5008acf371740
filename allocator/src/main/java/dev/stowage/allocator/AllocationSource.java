package dev.stowage.allocator;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongConsumer;

/** The target of requests: an allocator, its high end, or a budget of one. */
public sealed interface AllocationSource permits AllocationBudget, BfcAllocator, HighEnd {

  /**
   * {@return the address of new bytes at a multiple of an alignment}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the source is closed
   * @throws BfcOutOfMemoryException if there is no room
   */
  long allocate(long bytes, long alignment);

  /**
   * {@return the address of new bytes at a multiple of an alignment, or empty if there is no room}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the source is closed
   */
  OptionalLong tryAllocate(long bytes, long alignment);

  /**
   * {@return the address of new bytes at a multiple of an alignment, waiting for frees if there is
   * no room}
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the source is closed, or is closed during the wait
   * @throws BfcOutOfMemoryException if there is no room when the timeout expires
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is allocated
   */
  long allocateOrWait(long bytes, long alignment, Duration timeout) throws InterruptedException;

  /**
   * {@return the address of new bytes, as {@link #allocateOrWait(long, long, Duration)}}
   *
   * <p>This method is for pools of memory that queued work still uses: while a thread waits, it can
   * free memory when the queued work has completed.
   *
   * @param bytes the number of bytes
   * @param alignment a power of two; a smaller one than 256 counts as 256
   * @param timeout the longest time to wait; if it is not positive, the method does not wait
   * @param pause is called by this thread, without the lock, until the request is answered or the
   *     wait ends. It waits for at most as many nanoseconds as it gets, and less if the thread is
   *     unparked, as {@link java.util.concurrent.locks.LockSupport#parkNanos(long)}. If it throws,
   *     nothing is allocated
   * @throws IllegalArgumentException if {@code bytes < 1}, or the alignment is not a power of two
   * @throws IllegalStateException if the source is closed, or is closed during the wait
   * @throws BfcOutOfMemoryException if there is no room when the timeout expires
   * @throws InterruptedException if the thread is interrupted while it waits; nothing is allocated
   */
  long allocateOrWait(long bytes, long alignment, Duration timeout, LongConsumer pause)
      throws InterruptedException;
}
