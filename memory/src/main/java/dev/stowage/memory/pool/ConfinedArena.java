package dev.stowage.memory.pool;

import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.Consumer;

/** An arena of a pool for one thread. */
final class ConfinedArena implements PoolArena {

  /*
   * The JDK's confined arena checks every access and ends all segments at once. Only the owner passes
   * the check here, so no lock is needed. Another thread reads the fields of the owner only for a
   * message, or after the owner has ended.
   */

  private final Thread owner = Thread.currentThread();
  private final Arena backing = Arena.ofConfined();
  private final PoolAllocations allocations;

  /** Removes this arena from the open ones, after its chunks are freed. */
  private final Consumer<PoolArena> removal;

  /** True if the pool has ended the segments and has not freed the chunks. */
  private boolean endedByPool;

  ConfinedArena(PoolChunks chunks, Consumer<PoolArena> removal, ArenaKind kind, long id) {
    allocations = new PoolAllocations(chunks, kind, id);
    this.removal = removal;
  }

  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    PoolAllocations.checkRequest(byteSize, byteAlignment);
    checkOwnerAndOpen();
    if (byteSize == 0) {
      return PoolAllocations.noBytes(byteAlignment, backing);
    }
    allocations.makeRoom();
    long address = allocations.chunks().allocate(byteSize, byteAlignment);
    allocations.add(address, byteSize);
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
  public PoolAllocations allocations() {
    return allocations;
  }

  @Override
  public MemorySegment.Scope scope() {
    return backing.scope();
  }

  @Override
  public void close() {
    checkOwnerAndOpen();
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

  @Override
  public boolean isOfAnotherThread() {
    return !isOwner() && owner.isAlive();
  }

  @Override
  public boolean isEndingHere() {
    return isOwner() && !backing.scope().isAlive() && !endedByPool;
  }

  @Override
  public boolean isInUse() {
    // A thread that has ended is in no native call.
    return isEndingHere() || (isOwner() && ArenaUse.isInUse(backing));
  }

  @Override
  public void end() {
    if (isOwner() && backing.scope().isAlive()) {
      try {
        backing.close();
      } finally {
        endedByPool = hasEnded();
      }
    }
  }

  @Override
  public boolean hasEnded() {
    return !isOwner() || !backing.scope().isAlive();
  }

  @Override
  public void freeChunks() {
    release();
  }

  @Override
  public String describe() {
    return allocations.describe("confined", allocations.firstTag())
        + String.format(Locale.ROOT, " of thread '%s'", owner.getName());
  }
}
