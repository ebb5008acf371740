package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationTag;
import dev.stowage.allocator.slab.SlabAllocator;
import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** An arena of a pool for many threads. */
final class SharedArena extends PoolArena {

  /*
   * Threads allocate concurrently under the read lock. Closing excludes them: no memory is freed while
   * another thread zeroes it, and none is allocated after.
   */

  static final long CACHE_LINE_BYTES = 64;

  private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
  private final Arena backing = Arena.ofShared();

  private final Thread opener = Thread.currentThread();
  private final boolean isLasting;

  /** The path of tags when the arena was opened. */
  private final String tag = AllocationTag.current().toString();

  private volatile boolean registered;
  private volatile boolean used;

  /** True if the pool has ended the segments and has not freed the chunks; under the lock. */
  private boolean endedByPool;

  SharedArena(PoolChunks chunks, ArenaKind kind) {
    super(chunks, kind);
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
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    lock.readLock().lock();
    try {
      begin(byteSize, byteAlignment);
      return byteSize == 0
          ? ArenaRequest.noBytes(byteAlignment, backing)
          : segment(chunks.allocate(this, byteSize, cacheLineAlignment(byteAlignment)), byteSize);
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  Optional<MemorySegment> tryAllocate(long byteSize, long byteAlignment) {
    lock.readLock().lock();
    try {
      begin(byteSize, byteAlignment);
      if (byteSize == 0) {
        return Optional.of(ArenaRequest.noBytes(byteAlignment, backing));
      }
      long address = chunks.tryAllocate(this, byteSize, cacheLineAlignment(byteAlignment));
      return address == SlabAllocator.NONE
          ? Optional.empty()
          : Optional.of(segment(address, byteSize));
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  MemorySegment allocateOrWait(long byteSize, long byteAlignment, Duration timeout)
      throws InterruptedException {
    lock.readLock().lock();
    try {
      begin(byteSize, byteAlignment);
      return byteSize == 0
          ? ArenaRequest.noBytes(byteAlignment, backing)
          : segment(
              chunks.allocateOrWait(this, byteSize, cacheLineAlignment(byteAlignment), timeout),
              byteSize);
    } finally {
      lock.readLock().unlock();
    }
  }

  private void begin(long byteSize, long byteAlignment) {
    ArenaRequest.check(byteSize, byteAlignment);
    checkOpen();
    register();
    used = true;
  }

  /** Threads that write to neighbouring segments should not share a cache line. */
  private static long cacheLineAlignment(long byteAlignment) {
    return Math.max(byteAlignment, CACHE_LINE_BYTES);
  }

  private MemorySegment segment(long address, long byteSize) {
    return RawMemory.segment(address, byteSize, backing);
  }

  @Override
  public MemorySegment.Scope scope() {
    if (!registered) {
      endIfPoolIsClosed();
    }
    return backing.scope();
  }

  /** Registers the arena, or ends it if the pool was closed before its first use. */
  private void endIfPoolIsClosed() {
    lock.writeLock().lock();
    try {
      if (backing.scope().isAlive()) {
        if (chunks.slabs().isClosed()) {
          backing.close();
        } else {
          register();
        }
      }
    } finally {
      lock.writeLock().unlock();
    }
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
        chunks.freeAll(this);
      }
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
  boolean isOfAnotherThread() {
    return false;
  }

  /** {@return the arena of all segments; the caller is about to make another segment} */
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

  /** {@return true if only this class has the backing arena, and no segment was requested} */
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
  boolean hasEnded() {
    return !backing.scope().isAlive();
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
