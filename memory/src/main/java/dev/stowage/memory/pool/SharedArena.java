package dev.stowage.memory.pool;

import dev.stowage.core.bfc.AllocationTag;
import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** An arena of a pool, for many threads. */
final class SharedArena implements PoolArena {

  /*
   * Threads allocate side by side, under the read lock; closing excludes them, so that no memory is
   * given back while another thread still zeroes it, and none is taken after.
   */

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Arena backing = Arena.ofShared();
  private final PoolAllocations allocations;

  /** The path of tags under which it was opened. */
  private final String tag = AllocationTag.current().toString();

  private volatile boolean used;

  /** Whether the pool has ended the segments, and is still to take the chunks; under the lock. */
  private boolean endedByPool;

  SharedArena(MemoryPool pool, Kind kind, long id) {
    allocations = new PoolAllocations(pool, kind, id);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    PoolAllocations.checkRequest(byteSize, byteAlignment);
    lock.readLock().lock();
    try {
      checkOpen();
      used = true;
      if (byteSize == 0) {
        return PoolAllocations.noBytes(byteAlignment, backing);
      }
      MemoryPool pool = allocations.pool();
      long address = pool.take(byteSize, byteAlignment);
      synchronized (allocations) {
        try {
          allocations.makeRoom();
        } catch (OutOfMemoryError noRoom) {
          pool.give(address);
          throw noRoom;
        }
        allocations.add(address, byteSize);
      }
      return PoolAllocations.segment(address, byteSize, backing);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public PoolAllocations allocations() {
    return allocations;
  }

  @Override
  public MemorySegment.Scope scope() {
    return backing.scope();
  }

  @Override
  public void close() {
    checkNotAllocating();
    lock.writeLock().lock();
    try {
      checkOpen();
      closeAndRelease();
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void closeAndRelease() {
    try {
      backing.close();
    } finally {
      // A cleanup action of the user's may have failed, after all segments have ended.
      if (!backing.scope().isAlive()) {
        release();
      }
    }
  }

  private void release() {
    try {
      allocations.freeAll();
    } finally {
      allocations.pool().remove(this);
    }
  }

  /** A listener is told of an allocation while it is made, and would wait for itself. */
  private void checkNotAllocating() {
    if (lock.getReadHoldCount() > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT, "%s is closed by a listener that hears of its allocation", describe()));
    }
  }

  private void checkOpen() {
    if (!backing.scope().isAlive()) {
      throw new AlreadyClosedException();
    }
  }

  @Override
  public boolean isOfAnotherThread() {
    return false;
  }

  /** {@return true if it was asked for a segment} */
  boolean isUsed() {
    return used;
  }

  @Override
  public boolean isEndingHere() {
    return lock.isWriteLockedByCurrentThread();
  }

  @Override
  public boolean isInUse() {
    checkNotAllocating();
    if (isEndingHere()) {
      return true;
    }
    lock.writeLock().lock(); // so that no other thread finds it held and cannot close it
    try {
      return ArenaUse.isInUse(backing);
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public void end() {
    lock.writeLock().lock();
    try {
      // Another thread may have closed it meanwhile.
      if (backing.scope().isAlive()) {
        try {
          backing.close();
        } finally {
          endedByPool = hasEnded();
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  public boolean hasEnded() {
    return !backing.scope().isAlive();
  }

  @Override
  public void giveBack() {
    lock.writeLock().lock();
    try {
      if (endedByPool) {
        endedByPool = false;
        release();
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** {@return where its allocations are} */
  Set<Long> addresses() {
    synchronized (allocations) {
      return allocations.addresses();
    }
  }

  @Override
  public String describe() {
    synchronized (allocations) {
      return allocations.describe("shared", tag);
    }
  }
}
