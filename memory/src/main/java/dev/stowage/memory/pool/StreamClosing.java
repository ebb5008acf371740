package dev.stowage.memory.pool;

import dev.stowage.allocator.AllocationListener;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.lifetime.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The end of a {@link DevicePool} and of its private pools. Safe for use by many threads. */
final class StreamClosing {

  /*
   * A pool ends when no queued work uses a freed chunk, here and in the private pools. The
   * allocator of the pool then closes the allocators of its private pools.
   */

  private final StreamChunks chunks;

  /** The lock of the chunks, which guards the fields below; private pools have the same. */
  private final PoolLock lock;

  private final List<StreamClosing> privatePools = new ArrayList<>();
  private boolean closed;

  StreamClosing(StreamChunks chunks) {
    this.chunks = chunks;
    this.lock = chunks.lock();
  }

  StreamChunks chunks() {
    return chunks;
  }

  /** {@return the end of a new private pool, which ends with this one at the latest} */
  StreamClosing openPrivatePool(
      String poolName, BfcOptions options, Optional<AllocationListener> userListener) {
    chunks.checkNotCalledBack();
    synchronized (lock.inOrder()) {
      StreamClosing opened =
          new StreamClosing(chunks.openPrivatePool(poolName, options, userListener));
      privatePools.removeIf(pool -> pool.closed);
      privatePools.add(opened);
      return opened;
    }
  }

  /** Returns all memory, unless queued work may still use freed memory. */
  void close() {
    chunks.checkNotCalledBack();
    synchronized (lock.inOrder()) {
      chunks.checkNotClosing();
      Optional<String> obstacle = obstacle();
      if (obstacle.isEmpty()) {
        closeNow();
      } else {
        throw new IllegalStateException(
            String.format(
                Locale.ROOT,
                "%s; synchronize the streams first, or call closeWithin",
                obstacle.get()));
      }
    }
  }

  /** Rejects new requests, waits for queued work, and returns all memory. */
  CloseResult closeWithin(Duration timeout) throws InterruptedException {
    chunks.checkNotCalledBack();
    Deadline deadline = Deadline.in(timeout);
    synchronized (lock.inOrder()) {
      chunks.checkNotClosing();
      chunks.setCloser(Optional.of(Thread.currentThread()));
    }
    try {
      for (StreamClosing pool : openPrivatePools()) {
        CloseResult result = pool.closeWithin(deadline.left());
        if (!result.isClosed()) {
          return result;
        }
      }
      while (true) {
        List<QueuedFrees.End> awaited;
        synchronized (lock.inOrder()) {
          Optional<String> obstacle = obstacle();
          if (obstacle.isEmpty()) {
            closeNow();
          }
          if (obstacle.isEmpty() || deadline.isOver()) {
            return new CloseResult(obstacle);
          }
          awaited = chunks.frees().holdAny();
        }
        chunks.waits().await(awaited, deadline.left());
      }
    } finally {
      synchronized (lock.inOrder()) {
        chunks.setCloser(Optional.empty());
      }
    }
  }

  private List<StreamClosing> openPrivatePools() {
    synchronized (lock.inOrder()) {
      return List.copyOf(privatePools);
    }
  }

  private void closeNow() {
    setClosed();
    chunks.allocator().close();
  }

  private void setClosed() {
    closed = true;
    privatePools.forEach(StreamClosing::setClosed);
  }

  /** {@return the reason why the memory cannot be returned, here or in a private pool} */
  private Optional<String> obstacle() {
    chunks.freeCompleted();
    return chunks.frees().isAwaited() ? Optional.of(describeAwaited()) : obstacleBelow();
  }

  private Optional<String> obstacleBelow() {
    return privatePools.stream().flatMap(pool -> pool.obstacle().stream()).findFirst();
  }

  private String describeAwaited() {
    QueuedFrees frees = chunks.frees();
    return String.format(
        Locale.ROOT,
        "pool '%s' cannot be closed: queued work of %d %s still uses %d bytes of freed memory",
        chunks.name(),
        frees.streamCount(),
        frees.streamCount() == 1 ? "stream" : "streams",
        frees.awaitedBytes());
  }
}
