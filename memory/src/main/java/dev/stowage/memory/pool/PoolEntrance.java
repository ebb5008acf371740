package dev.stowage.memory.pool;

import java.util.Locale;
import java.util.Optional;

/** The entrance of a pool, which rejects new arenas while a thread closes the pool. */
final class PoolEntrance {

  private final PoolChunks chunks;

  /** The thread that closes the pool. */
  private volatile Optional<Thread> closer = Optional.empty();

  /** True while a thread waits in {@link PoolClosing#closeWithin}. */
  private volatile boolean isWaiting;

  PoolEntrance(PoolChunks chunks) {
    this.chunks = chunks;
  }

  /** {@return true if all arenas have ended; false while the pool is closing} */
  boolean isClosed() {
    return chunks.slabs().isClosed();
  }

  /** Rejects new arenas if the pool is closed, or if a thread closes it or waits to do so. */
  void checkOpen() {
    while (isWaiting || !chunks.slabs().isOpen()) {
      if (isClosed()) {
        throw new IllegalStateException(
            String.format(Locale.ROOT, "pool '%s' is closed", chunks.poolName()));
      }
      Optional<Thread> closing = closer;
      if (closing.isPresent()) {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "pool '%s' is being closed by thread '%s'%s",
                chunks.poolName(),
                closing.get().getName(),
                isWaiting ? ", which waits for open arenas" : ""));
      }
      Thread.onSpinWait(); // the other thread has just finished; the pool is closed, or open again
    }
  }

  /** {@return true if a thread closes the pool} */
  boolean isClosing() {
    return closer.isPresent();
  }

  /** {@return the name of the thread that closes the pool; empty if there is none} */
  String closerName() {
    return closer.map(Thread::getName).orElse("");
  }

  void setCloser(Optional<Thread> thread) {
    closer = thread;
  }

  void setWaiting(boolean waiting) {
    isWaiting = waiting;
  }
}
