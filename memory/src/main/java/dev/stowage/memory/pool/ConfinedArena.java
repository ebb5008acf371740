package dev.stowage.memory.pool;

import dev.stowage.allocator.slab.SlabAllocator;
import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** An arena of a pool for one thread. */
final class ConfinedArena extends PoolArena {

  /*
   * The JDK's confined arena checks every access and ends all segments at once. Only the owner passes
   * the check here, so no lock is needed. Another thread reads the fields of the owner only for a
   * message, or after the owner has ended.
   *
   * The first allocation registers the arena at the pool. Until then, the arena has nothing that the
   * pool must end. If the pool is closed meanwhile, the arena ends with its next use.
   */

  private final Thread owner = Thread.currentThread();
  private final Arena backing = Arena.ofConfined();

  /** True if the pool has ended the segments and has not freed the chunks. */
  private boolean endedByPool;

  ConfinedArena(PoolChunks chunks, ArenaKind kind) {
    super(chunks, kind);
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    ArenaRequest.check(byteSize, byteAlignment);
    checkOwnerAndOpen();
    if (byteSize == 0) {
      register();
      return ArenaRequest.noBytes(byteAlignment, backing);
    }
    long address = chunks.allocate(this, byteSize, byteAlignment);
    return RawMemory.segment(address, byteSize, backing);
  }

  @Override
  Optional<MemorySegment> tryAllocate(long byteSize, long byteAlignment) {
    ArenaRequest.check(byteSize, byteAlignment);
    checkOwnerAndOpen();
    if (byteSize == 0) {
      return Optional.of(allocate(byteSize, byteAlignment));
    }
    long address = chunks.tryAllocate(this, byteSize, byteAlignment);
    return address == SlabAllocator.NONE
        ? Optional.empty()
        : Optional.of(RawMemory.segment(address, byteSize, backing));
  }

  @Override
  MemorySegment allocateOrWait(long byteSize, long byteAlignment, Duration timeout)
      throws InterruptedException {
    ArenaRequest.check(byteSize, byteAlignment);
    checkOwnerAndOpen();
    if (byteSize == 0) {
      return allocate(byteSize, byteAlignment);
    }
    long address = chunks.allocateOrWait(this, byteSize, byteAlignment, timeout);
    return RawMemory.segment(address, byteSize, backing);
  }

  @SuppressWarnings("ReferenceEquality") // a thread class of the caller may override equals
  private boolean isOwner() {
    return Thread.currentThread() == owner;
  }

  private void checkOwnerAndOpen() {
    if (!isOwner()) {
      throw new WrongThreadException(
          String.format(
              Locale.ROOT,
              "%s cannot be used by thread '%s'",
              describe(),
              Thread.currentThread().getName()));
    }
    if (!backing.scope().isAlive()) {
      throw new AlreadyClosedException();
    }
  }

  @Override
  void register() {
    register(chunks.slabs());
  }

  @Override
  public MemorySegment.Scope scope() {
    if (!isRegistered() && isOwner()) {
      endIfPoolIsClosed();
    }
    return backing.scope();
  }

  /** Registers the arena, or ends it if the pool was closed before its first use. */
  private void endIfPoolIsClosed() {
    if (backing.scope().isAlive()) {
      if (chunks.slabs().isClosed()) {
        backing.close();
      } else {
        register();
      }
    }
  }

  @Override
  public void close() {
    checkOwnerAndOpen();
    try {
      backing.close();
    } finally {
      // A cleanup action of the caller can fail after all segments have ended.
      if (!backing.scope().isAlive()) {
        chunks.freeAll(this);
      }
    }
  }

  @Override
  boolean isOfAnotherThread() {
    return !isOwner() && owner.isAlive();
  }

  @Override
  boolean isAwaited() {
    return isOfAnotherThread();
  }

  @Override
  boolean tryHold() {
    // A thread that has ended is in no native call.
    return !isEndingHere() && !(isOwner() && ArenaUse.isInUse(backing));
  }

  /** {@return true if this thread is closing the arena, and runs a cleanup action} */
  private boolean isEndingHere() {
    return isOwner() && !backing.scope().isAlive() && !endedByPool;
  }

  @Override
  void endHold() {}

  @Override
  void endSegments() {
    if (isOwner() && backing.scope().isAlive()) {
      try {
        backing.close();
      } finally {
        endedByPool = hasEnded();
      }
    }
  }

  @Override
  boolean hasEnded() {
    return !isOwner() || !backing.scope().isAlive();
  }

  @Override
  void freeMemory() {
    chunks.freeAll(this);
  }

  @Override
  String describe() {
    return describe("confined", tag())
        + String.format(Locale.ROOT, " of thread '%s'", owner.getName());
  }
}
