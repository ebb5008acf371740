package dev.stowage.core.bfc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** Requests that wait for a free, first come, first served. */
final class Waiters {

  /*
   * Who frees serves: whoever frees memory allocates, still under the allocator's lock, for the
   * first that wait, and then wakes them. So nobody overtakes a request that waits with one that
   * waits too, no free is lost between a failed try and the sleep after it, and nobody is woken for
   * nothing.
   *
   * A request is answered once, under the lock. The answer is an address and not a slot: by the
   * time the thread has woken, the allocator may be closed and its slots be others' or nobody's.
   * What goes wrong while a request is served is its answer too, as it would be had it asked itself,
   * and does not reach the thread that freed.
   */

  /** A request that waits; all but the answer belongs to the allocator's lock. */
  static final class Waiter {

    private final Thread thread = Thread.currentThread();
    private final long bytes;
    private final long alignment;
    private final Origin origin;
    private volatile Optional<LongSupplier> answer = Optional.empty();

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

    /** {@return what gives its address, or throws what went wrong; empty while it waits} */
    Optional<LongSupplier> answer() {
      return answer;
    }

    /** Waits outside the lock for an answer, until the time is over or the thread interrupted. */
    void await(long deadlineNanos) {
      long left = deadlineNanos - System.nanoTime();
      while (answer.isEmpty() && left > 0 && !thread.isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = deadlineNanos - System.nanoTime();
      }
    }

    private void finish(LongSupplier given) {
      answer = Optional.of(given);
      LockSupport.unpark(thread);
    }
  }

  /** What answers a request, or not yet. */
  @FunctionalInterface
  interface Server {
    /** {@return the address of bytes for a request, or empty if there is no room} */
    OptionalLong take(Waiter waiter);
  }

  private final Deque<Waiter> waiters = new ArrayDeque<>();

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  int count() {
    return waiters.size();
  }

  void add(Waiter waiter) {
    waiters.addLast(waiter);
  }

  void remove(Waiter waiter) {
    waiters.remove(waiter);
  }

  /** Answers requests in their order, up to the first for which there is no room yet. */
  void serve(Server server) {
    boolean answered = true;
    while (answered && !waiters.isEmpty()) {
      Waiter first = waiters.getFirst();
      Optional<LongSupplier> answer = answer(server, first);
      answered = answer.isPresent();
      if (answered) {
        waiters.removeFirst();
        first.finish(answer.get());
      }
    }
  }

  private static Optional<LongSupplier> answer(Server server, Waiter waiter) {
    try {
      OptionalLong address = server.take(waiter);
      return address.isPresent() ? Optional.of(address::getAsLong) : Optional.empty();
    } catch (RuntimeException | Error e) {
      return Optional.of(() -> {
        throw e;
      });
    }
  }

  /** Answers all the same. */
  void dismiss(LongSupplier answer) {
    waiters.forEach(waiter -> waiter.finish(answer));
    waiters.clear();
  }
}
