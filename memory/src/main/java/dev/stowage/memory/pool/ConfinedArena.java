package dev.stowage.memory.pool;

import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

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

  ConfinedArena(PoolChunks chunks, ArenaKind kind) {
    super(chunks, kind, Arena.ofConfined());
  }

  @Override
  <E extends Exception> MemorySegment allocate(
      long byteSize, long byteAlignment, ChunkRequest<E> request) throws E {
    ArenaRequest.check(byteSize, byteAlignment);
    checkOwnerAndOpen();
    if (byteSize == 0) {
      register();
    }
    return segment(byteSize, byteAlignment, request);
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
    checkAlive();
  }

  @Override
  void register() {
    register(chunks.slabs());
  }

  @Override
  public MemorySegment.Scope scope() {
    if (!isRegistered() && isOwner()) {
      registerOrEnd();
    }
    return backing.scope();
  }

  @Override
  public void close() {
    checkOwnerAndOpen();
    closeAndFree();
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
    return isOwner() && !isAlive() && !endedByPool;
  }

  @Override
  void endHold() {}

  @Override
  void endSegments() {
    if (isOwner()) {
      endByPool();
    }
  }

  @Override
  boolean hasEnded() {
    return !isOwner() || !isAlive();
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
