package dev.stowage.memory.pool;

import dev.stowage.core.bfc.AllocationTag;
import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/** An arena of a pool for many threads. */
final class SharedArena implements PoolArena {

  /*
   * Threads allocate concurrently under the read lock. Closing excludes them: no memory is freed while
   * another thread zeroes it, and none is allocated after.
   */

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Arena backing = Arena.ofShared();
  private final PoolAllocations allocations;

  /** Removes this arena from the open ones, after its chunks are freed. */
  private final Consumer<PoolArena> removal;

  /** The path of tags when the arena was opened. */
  private final String tag = AllocationTag.current().toString();

  private volatile boolean used;

  /** True if the pool has ended the segments and has not freed the chunks; under the lock. */
  private boolean endedByPool;

  SharedArena(PoolChunks chunks, Consumer<PoolArena> removal, ArenaKind kind, long id) {
    allocations = new PoolAllocations(chunks, kind, id);
    this.removal = removal;
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
      PoolChunks chunks = allocations.chunks();
      long address = chunks.allocate(byteSize, byteAlignment);
      synchronized (allocations) {
        try {
          allocations.makeRoom();
        } catch (OutOfMemoryError noRoom) {
          chunks.free(address);
          throw noRoom;
        }
        allocations.add(address, byteSize);
      }
      return RawMemory.segment(address, byteSize, backing);
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
      // A cleanup action of the caller can fail after all segments have ended.
      if (!backing.scope().isAlive()) {
        release();
      }
    }
  }

  private void release() {
    try {
      allocations.freeAll();
    } finally {
      removal.accept(this);
    }
  }

  /** Rejects a listener that gets an allocation of this arena: it would wait for itself. */
  private void checkNotAllocating() {
    if (lock.getReadHoldCount() > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%s cannot be closed by the listener of its allocation; close it after the listener has returned",
              describe()));
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

  /** {@return true if a segment was requested} */
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
    lock.writeLock().lock(); // so that no other thread fails to close it meanwhile
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
      // Another thread may have closed the arena meanwhile.
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
  public void freeChunks() {
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

  /** {@return the addresses of the allocations} */
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
