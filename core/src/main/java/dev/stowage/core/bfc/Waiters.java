package dev.stowage.core.bfc;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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
   *
   * The first request for which frees may still make room keeps the line: no request behind it is
   * tried. A request for which they cannot, since no region is long enough and a longer one is the
   * device's to give, is tried each time and passed over, or one that is never answered would hold
   * up all others. So a request waits only for requests before it that frees may serve. One that is
   * passed over may wait until its time is over while others are answered.
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

    /** {@return true if there is no room for this request where there is none for another} */
    private boolean asksForAsMuchAs(Waiter other) {
      return bytes >= other.bytes && alignment >= other.alignment;
    }

    private void finish(LongSupplier given) {
      answer = Optional.of(given);
      LockSupport.unpark(thread);
    }
  }

  /** What answers requests. */
  interface Server {
    /** {@return the address of bytes for a request, or empty if there is no room} */
    OptionalLong take(Waiter waiter);

    /** {@return true if frees may make room for a request that has just been tried} */
    boolean freesMayServe(Waiter waiter);
  }

  /** In the order in which they came. */
  private final Set<Waiter> waiters = new LinkedHashSet<>();

  /** Whether one of them keeps the line. */
  private boolean isLineKept;

  boolean isEmpty() {
    return waiters.isEmpty();
  }

  int count() {
    return waiters.size();
  }

  /** {@return the address for a new request, or empty if it waits now} */
  OptionalLong tryOrAdd(Waiter waiter, Server server) {
    if (!isLineKept) {
      OptionalLong address = server.take(waiter);
      if (address.isPresent()) {
        return address;
      }
      isLineKept = server.freesMayServe(waiter);
    }
    waiters.add(waiter);
    return OptionalLong.empty();
  }

  /** Forgets a request; those behind it are to be served then. */
  void remove(Waiter waiter) {
    waiters.remove(waiter);
  }

  /** Answers requests in their order, up to the first that keeps the line. */
  void serve(Server server) {
    isLineKept = false;
    Optional<Waiter> failed = Optional.empty();
    for (Iterator<Waiter> each = waiters.iterator(); each.hasNext() && !isLineKept; ) {
      Waiter waiter = each.next();
      if (failed.filter(waiter::asksForAsMuchAs).isPresent()) {
        continue;
      }
      Optional<LongSupplier> answer = answer(server, waiter);
      if (answer.isPresent()) {
        each.remove();
        waiter.finish(answer.get());
      } else {
        isLineKept = server.freesMayServe(waiter);
        failed = Optional.of(waiter);
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
    isLineKept = false;
  }
}
