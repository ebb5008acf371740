package dev.stowage.memory.pool;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.internal.AllocatorInternals;

/** The lock of a {@link DevicePool} and of its private pools, a monitor. */
final class PoolLock {

  /*
   * A thread takes the locks in one order, and an assertion checks it: this lock, the lock of the
   * allocator, the lock of the uses by address (`QueuedFrees`). A waiting request, a budget or a
   * private pool may call a listener with the allocator's lock alone. So a call of a listener or of
   * the device never takes this lock: it reads without it, or is rejected.
   *
   * Monitors leave the permit of `LockSupport` alone. A parking lock could take the permit of an
   * answered request; the request would then sleep.
   */

  private final AllocatorInternals allocator;

  /** Creates the lock of an allocator and of its private pools, which have one lock, too. */
  PoolLock(BfcAllocator allocator) {
    this.allocator = AllocatorInternals.of(allocator);
  }

  /** {@return this lock, which the caller is about to take} */
  PoolLock inOrder() {
    assert Thread.holdsLock(this) || !allocator.isLockHeld()
        : "a thread takes the lock of a pool after the lock of its allocator";
    return this;
  }

  /** {@return true if the caller is a listener or the device, which the pool is calling} */
  boolean isCalledBack() {
    return Thread.holdsLock(this) || allocator.isLockHeld();
  }
}
