package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.internal.AllocatorInternals;
import java.util.concurrent.locks.ReentrantLock;

/** The lock of a {@link DevicePool} and of its private pools, as a resource. */
final class PoolLock implements AutoCloseable {

  /*
   * Locks have one order, which an assertion checks: first this one, then that of the allocator, then
   * that of the uses by address (`QueuedFrees`). A waiting request, a budget or a private pool may call
   * a listener with the allocator's lock alone. So a call of a listener or of the device never takes
   * this lock: it reads without it, or is rejected.
   */

  private final ReentrantLock lock = new ReentrantLock();
  private final AllocatorInternals allocator;

  /** Creates the lock of an allocator and of its private pools, which have one lock, too. */
  PoolLock(BfcAllocator allocator) {
    this.allocator = AllocatorInternals.of(allocator);
  }

  /** Waits until this thread holds the lock, and {@return the lock, which closing releases} */
  PoolLock hold() {
    assert lock.isHeldByCurrentThread() || !allocator.isLockHeld()
        : "the lock of a pool is taken after that of its allocator";
    lock.lock();
    return this;
  }

  /** {@return true if the caller is a listener or the device, which the pool is calling} */
  boolean isCalledBack() {
    return lock.isHeldByCurrentThread() || allocator.isLockHeld();
  }

  @Override
  public void close() {
    lock.unlock();
  }
}
