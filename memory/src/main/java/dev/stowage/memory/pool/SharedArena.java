package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** An arena of a pool for many threads. */
final class SharedArena extends PoolArena {

  /*
   * Threads allocate concurrently under the read lock. Closing excludes them: no memory is freed while
   * another thread zeroes it, and none is allocated after.
   */

  static final long CACHE_LINE_BYTES = 64;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Thread opener = Thread.currentThread();
  private final boolean isLasting;

  /** The path of tags when the arena was opened. */
  private final String tag = AllocationTag.current().toString();

  private volatile boolean registered;
  private volatile boolean used;

  SharedArena(PoolChunks chunks, ArenaKind kind) {
    super(chunks, kind, Arena.ofShared());
    isLasting = kind == ArenaKind.LASTING;
  }

  @Override
  void register() {
    if (!registered) {
      synchronized (this) {
        register(chunks.slabs());
        registered = true;
      }
    }
  }

  @Override
  <E extends Exception> MemorySegment allocate(
      long byteSize, long byteAlignment, ChunkRequest<E> request) throws E {
    lock.readLock().lock();
    try {
      ArenaRequest.check(byteSize, byteAlignment);
      checkAlive();
      register();
      used = true;
      // Threads that write to neighbouring segments should not share a cache line.
      return segment(byteSize, Math.max(byteAlignment, CACHE_LINE_BYTES), request);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public MemorySegment.Scope scope() {
    if (!registered) {
      lock.writeLock().lock();
      try {
        registerOrEnd();
      } finally {
        lock.writeLock().unlock();
      }
    }
    return backing.scope();
  }

  @Override
  public void close() {
    checkNotAllocating();
    lock.writeLock().lock();
    try {
      checkAlive();
      closeAndFree();
    } finally {
      lock.writeLock().unlock();
    }
  }

  /** Rejects a close by the listener of this arena's allocation, which would wait for itself. */
  private void checkNotAllocating() {
    if (lock.getReadHoldCount() > 0) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%s cannot be closed by the listener of its allocation; close it after the listener has returned",
              describe()));
    }
  }

  @Override
  boolean isOfAnotherThread() {
    return false;
  }

  /** {@return the arena of all segments, for a new segment} */
  Arena backing() {
    if (!used) {
      used = true;
    }
    return backing;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a thread class of the caller may override equals
  boolean isAwaited() {
    return opener != Thread.currentThread() && opener.isAlive();
  }

  @Override
  boolean tryHold() {
    checkNotAllocating();
    if (lock.isWriteLockedByCurrentThread() || !lock.writeLock().tryLock()) {
      return false;
    }
    boolean isHeld = isUnused() || !ArenaUse.isInUse(backing);
    if (!isHeld) {
      lock.writeLock().unlock();
    }
    return isHeld;
  }

  /** {@return true if no native call can hold the arena, because no segment was requested} */
  private boolean isUnused() {
    return isLasting && !used;
  }

  @Override
  void endHold() {
    lock.writeLock().unlock();
  }

  @Override
  void endSegments() {
    lock.writeLock().lock();
    try {
      endByPool(); // unless another thread has closed the arena meanwhile
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  boolean hasEnded() {
    return !isAlive();
  }

  @Override
  void freeMemory() {
    lock.writeLock().lock();
    try {
      if (endedByPool) {
        endedByPool = false;
        chunks.freeAll(this);
      }
    } finally {
      lock.writeLock().unlock();
    }
  }

  @Override
  String describe() {
    return describe("shared", tag);
  }
}
