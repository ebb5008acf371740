package dev.stowage.memory.pool;

import dev.stowage.memory.device.DeviceEvent;
import dev.stowage.memory.device.DeviceException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The waits of threads for queued work that uses chunks of a {@link DevicePool}. No thread holds
 * the lock of the pool while it waits.
 */
final class StreamWaits {

  /*
   * The allocator serves requests that wait for other threads in the order of its queue. Only the
   * pool can free a chunk after its queued work. So a waiting thread waits for the oldest queued
   * free, in short turns, because another thread may answer its request. If no free is queued, it
   * sleeps until a thread queues one.
   */

  /** The longest wait for queued work by a thread that also waits for other threads. */
  private static final Duration TURN = Duration.ofMillis(1);

  /** The longest sleep: a wait for the lock of the allocator can take the permit of an answer. */
  private static final long LONGEST_SLEEP_NANOS = 1_000_000_000;

  /** The lock of the pool, which guards the fields below. */
  private final PoolLock lock;

  private final QueuedFrees frees;

  /** The threads to wake when a free is queued. */
  private final Set<Thread> sleepers = new HashSet<>();

  StreamWaits(PoolLock lock, QueuedFrees frees) {
    this.lock = lock;
    this.frees = frees;
  }

  /** Waits for ends, and releases them. The stream reports work that failed. */
  void await(List<QueuedFrees.End> ends) {
    try {
      for (QueuedFrees.End end : ends) {
        await(end.event());
      }
    } finally {
      release(ends);
    }
  }

  private static void await(DeviceEvent end) {
    try {
      end.await();
    } catch (DeviceException | IllegalStateException failed) {
      if (!end.isDone()) {
        throw failed;
      }
    }
  }

  /** Waits for ends, for each one at most for some time, and releases them. */
  void await(List<QueuedFrees.End> ends, Duration timeout) throws InterruptedException {
    try {
      for (QueuedFrees.End end : ends) {
        if (!end.event().isDoneWithin(timeout)) {
          return;
        }
      }
    } finally {
      release(ends);
    }
  }

  private void release(List<QueuedFrees.End> ends) {
    synchronized (lock.inOrder()) {
      frees.release(ends);
    }
  }

  /**
   * Waits until queued work may have completed, as a part of a longer wait that ends with {@link
   * #endPauses()}.
   *
   * @param nanos the longest wait
   * @param freeCompleted frees the chunks of completed work, with the lock
   */
  void pause(long nanos, Runnable freeCompleted) {
    List<QueuedFrees.End> awaited;
    synchronized (lock.inOrder()) {
      freeCompleted.run();
      awaited = frees.holdOldest();
      sleepers.add(Thread.currentThread());
    }
    if (awaited.isEmpty()) {
      LockSupport.parkNanos(this, Math.min(nanos, LONGEST_SLEEP_NANOS));
    } else {
      Duration turn = nanos < TURN.toNanos() ? Duration.ofNanos(nanos) : TURN;
      try {
        await(awaited, turn);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt(); // the allocator ends the wait
      }
    }
  }

  /** Ends the pauses of this thread. */
  void endPauses() {
    synchronized (lock.inOrder()) {
      sleepers.remove(Thread.currentThread());
    }
  }

  /** Wakes the threads that pause, with the lock. */
  void wake() {
    sleepers.forEach(LockSupport::unpark);
  }
}
