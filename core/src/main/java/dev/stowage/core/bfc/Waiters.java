package dev.stowage.core.bfc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

/** Requests that wait for a free, first come, first served. */
final class Waiters {

  /*
   * Who frees serves: whoever frees memory allocates, still under the allocator's lock, for the
   * first that wait, and then wakes them. So nobody overtakes a request that waits with one that
   * waits too, no free is lost between a failed try and the sleep after it, and nobody is woken for
   * nothing.
   */

  /** A request that waits; all but {@code done} belongs to the allocator's lock. */
  static final class Waiter {

    private final Thread thread = Thread.currentThread();
    private final long bytes;
    private final long alignment;
    private final Origin origin;
    private int slot = ChunkTable.NONE;
    private volatile boolean done;

    Waiter(long bytes, long alignment, Origin origin) {
      this.bytes = bytes;
      this.alignment = alignment;
      this.origin = origin;
    }

    long bytes() {
      return bytes;
    }

    long alignment() {
      return alignment;
    }

    Origin origin() {
      return origin;
    }

    /** {@return the slot of its chunk, {@link ChunkTable#NONE} if it was not served} */
    int slot() {
      return slot;
    }

    /** Waits outside the lock until it is done, the time is over, or the thread is interrupted. */
    boolean await(long deadlineNanos) {
      long left = deadlineNanos - System.nanoTime();
      while (!done && left > 0 && !thread.isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = deadlineNanos - System.nanoTime();
      }
      return done;
    }

    private void finish(int servedSlot) {
      slot = servedSlot;
      done = true;
      LockSupport.unpark(thread);
    }
  }

  /** What answers a request, or not yet. */
  @FunctionalInterface
  interface Server {
    /** {@return the slot of a chunk for a request, or {@link ChunkTable#NONE}} */
    int take(Waiter waiter);
  }

  private final Deque<Waiter> waiters = new ArrayDeque<>();

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  void add(Waiter waiter) {
    waiters.addLast(waiter);
  }

  boolean isFirst(Waiter waiter) {
    return waiters.peekFirst() == waiter;
  }

  void remove(Waiter waiter) {
    waiters.remove(waiter);
  }

  /** Serves requests in their order, up to the first that cannot be answered yet. */
  void serve(Server server) {
    for (Waiter first = waiters.peekFirst(); first != null; first = waiters.peekFirst()) {
      int slot = server.take(first);
      if (slot == ChunkTable.NONE) {
        return;
      }
      waiters.removeFirst();
      first.finish(slot);
    }
  }

  /** Wakes all, served by nothing. */
  void dismiss() {
    waiters.forEach(waiter -> waiter.finish(ChunkTable.NONE));
    waiters.clear();
  }
}
