package dev.stowage.memory.pool;

import dev.stowage.memory.lifetime.ArenaUse;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The memory of a {@link CountedBlock}, and the number of its references. */
final class CountedMemory extends PoolOwner {

  /*
   * The thread that takes the last reference away frees the memory. If another thread closes the
   * pool meanwhile, it takes all references away, or waits until the first thread has freed the
   * memory. The search for native calls holds the arena for a moment. The lock of this object keeps
   * a release, which would fail, out of this moment.
   */

  private static final VarHandle MORE = handle();

  private static final int NONE_LEFT = -1;
  private static final int FREED = -2;
  private static final long SLEEP_NANOS = 20_000;

  /**
   * The number of references minus 1; negative without references. So the first reference of a new
   * object needs no volatile store.
   */
  private volatile int more;

  /** The arena of the segment; in debug mode, it ends with the last reference. */
  private final Optional<Arena> checked;

  /** The thread that took the last reference away; null before. Others may read an old value. */
  private @Nullable Thread releasing;

  CountedMemory(PoolChunks chunks) {
    super(chunks, ArenaKind.BLOCK);
    checked = chunks.isDebugging() ? Optional.of(Arena.ofShared()) : Optional.empty();
  }

  private static VarHandle handle() {
    try {
      return MethodHandles.lookup().findVarHandle(CountedMemory.class, "more", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** {@return a new segment, the only one of this memory} */
  MemorySegment allocate(long bytes, SharedArena lasting) {
    ArenaRequest.check(bytes, 1);
    Arena arena = checked.isPresent() ? checked.get() : lasting.backing();
    if (bytes == 0) {
      register();
      return ArenaRequest.noBytes(1, arena);
    }
    boolean isDone = false;
    try {
      long address =
          chunks.allocate(this, bytes, SharedArena.CACHE_LINE_BYTES, ChunkRequest.OR_THROW);
      isDone = true;
      return RawMemory.segment(address, bytes, arena);
    } finally {
      if (!isDone && release() == 1) {
        free();
      }
    }
  }

  @Override
  void register() {
    register(chunks.slabs());
  }

  int references() {
    return Math.max(0, more + 1);
  }

  /** Adds a reference, unless there is none left; {@return true if it was added} */
  boolean retain() {
    int old = more;
    while (old >= 0 && old < Integer.MAX_VALUE - 1) {
      if (MORE.compareAndSet(this, old, old + 1)) {
        return true;
      }
      old = more;
    }
    return false;
  }

  /** Takes a reference away, and {@return the number of references before} */
  int release() {
    int old = more;
    while (old >= 0 && !MORE.compareAndSet(this, old, old - 1)) {
      old = more;
    }
    return Math.max(0, old + 1);
  }

  /** Ends the segment and frees the memory after the last reference was taken away. */
  void free() {
    try {
      endSegments();
    } catch (IllegalStateException held) {
      more = 0;
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "pool '%s': %s is in use by a native call and stays in use: release it again after the call",
              poolName(),
              describe()),
          held);
    }
    releasing = Thread.currentThread();
    freeAll();
  }

  private void freeAll() {
    try {
      chunks.freeAll(this);
    } finally {
      MORE.setRelease(this, FREED);
    }
  }

  @Override
  boolean isOpen() {
    return more >= 0;
  }

  @Override
  boolean isOfAnotherThread() {
    return false;
  }

  @Override
  boolean isAwaited() {
    return isOpen(); // by any thread
  }

  @Override
  synchronized boolean tryHold() {
    return !isEndingHere() && !(checked.isPresent() && ArenaUse.isInUse(checked.get()));
  }

  @SuppressWarnings("ReferenceEquality") // a thread class of the caller may override equals
  private boolean isEndingHere() {
    return Thread.currentThread() == releasing && more != FREED;
  }

  @Override
  void endHold() {}

  @Override
  synchronized void endSegments() {
    if (checked.isPresent() && checked.get().scope().isAlive()) {
      checked.get().close();
    }
  }

  @Override
  boolean hasEnded() {
    return checked.isEmpty() || !checked.get().scope().isAlive();
  }

  @Override
  void freeMemory() {
    int old = more;
    while (old >= 0 && !MORE.compareAndSet(this, old, NONE_LEFT)) {
      old = more;
    }
    if (old >= 0) {
      freeAll();
    }
    awaitFreed();
  }

  /** Waits until the thread that took the last reference away has freed the memory. */
  private void awaitFreed() {
    boolean interrupted = false;
    while (more != FREED) {
      LockSupport.parkNanos(this, SLEEP_NANOS);
      interrupted |= Thread.interrupted(); // an interrupted thread would not sleep
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  String describe() {
    return describe("counted", tag());
  }

  /** {@return the failure of a use without a reference} */
  IllegalStateException released() {
    return new IllegalStateException(
        String.format(
            Locale.ROOT,
            "a counted block of pool '%s' is released, or the pool is closed: its count is 0, and its memory may belong to others; call retain() before other code calls release()",
            poolName()));
  }
}
